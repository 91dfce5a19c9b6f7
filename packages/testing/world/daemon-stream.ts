import { type Api, ApiError } from '@parley/client';
import type { Message, Params } from '@parley/protocol';

/**
 * A reply written by a bot's daemon: it knows its text, and continues from where the service says that its copy ends.
 */
export class DaemonStream {
  readonly id: string;
  readonly chatId: string;
  text = '';
  /** The texts of its reasoning parts, by id. */
  readonly thoughts = new Map<string, string>();
  readonly #api: Api;

  constructor(api: Api, { id, conversation_id }: Pick<Message, 'id' | 'conversation_id'>) {
    this.#api = api;
    this.id = id;
    this.chatId = conversation_id;
  }

  /** A late answer to an attempt that was repeated changes nothing here: the daemon has gone on since. */
  async append(delta: string): Promise<void> {
    const before = this.text;
    const text = before + delta;
    const bytes = Buffer.from(text);
    const write = (from: number) =>
      this.#api.appendMessageStream({
        message_id: this.id,
        delta: bytes.subarray(from).toString(),
        offset: bytes.length,
      });
    try {
      await write(Buffer.byteLength(before));
    } catch (error) {
      // A restarted service may have less of the text than it had shown: 409 with the offset to continue from
      // (STREAM-14).
      const offset = error instanceof ApiError ? error.parameters['offset'] : undefined;
      if (typeof offset !== 'number') throw error;
      await write(offset);
    }
    if (this.text === before) this.text = text;
  }

  /** Writes a part. */
  async part(part: NonNullable<Params<'appendMessageStream'>['part']>): Promise<void> {
    await this.#api.appendMessageStream({ message_id: this.id, part });
    if (part.type === 'reasoning' && part.text) this.thoughts.set(part.id, part.text);
  }

  /** Appends to a reasoning part; late answers are treated as those to `append`. */
  async think(append: string, id = 'thought'): Promise<void> {
    const before = this.thoughts.get(id) ?? '';
    const text = before + append;
    const bytes = Buffer.from(text);
    const write = (from: number) =>
      this.part({
        id,
        type: 'reasoning',
        append: bytes.subarray(from).toString(),
        text_offset: bytes.length,
      });
    try {
      await write(Buffer.byteLength(before));
    } catch (error) {
      // As for the text, a restarted service says from which byte to continue (PART-8).
      const offset = error instanceof ApiError ? error.parameters['offset'] : undefined;
      if (typeof offset !== 'number') throw error;
      await write(offset);
    }
    if ((this.thoughts.get(id) ?? '') === before) this.thoughts.set(id, text);
  }

  async replace(text: string): Promise<void> {
    await this.#api.appendMessageStream({ message_id: this.id, text });
    this.text = text;
  }

  /** Resolves to the Message; its text must be the daemon's. */
  async finish(status: 'complete' | 'failed' | 'cancelled' = 'complete'): Promise<Message> {
    const message = await this.#api.finishMessageStream({ message_id: this.id, status });
    if (message.content !== this.text) throw new Error(`the reply "${this.text}" was stored as "${message.content}"`);
    return message;
  }
}
