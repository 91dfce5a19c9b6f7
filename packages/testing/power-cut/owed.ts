import type { Message } from '@parley/protocol';
import type { Received } from './recording.ts';

export type ShownMessage = Pick<
  Message,
  'id' | 'position' | 'client_msg_id' | 'content' | 'content_revision' | 'status'
>;
type Fields = Record<string, unknown>;

/** What the service owes its clients: everything that any of them has received so far, whatever it was sent for. */
export class Owed {
  /** The newest version of each message. Of an open reply, the text is not owed. */
  readonly messages = new Map<string, ShownMessage>();
  readonly deleted = new Set<string>();
  /** Positions of read markers, by conversation and person: `readerOf`. */
  readonly read = new Map<string, number>();
  /** Numbers of events: they must not be used again. */
  readonly seqs = new Set<number>();
  highestSeq = 0;
  answers = 0;
  frames = 0;

  get isNothing(): boolean {
    return this.answers + this.frames === 0;
  }

  take(received: Received): void {
    if ('read' in received) this.#takeRead(received.read.chatId, received.by, received.read.position);
    else if ('deleted' in received) this.deleted.add(received.deleted);
    else {
      const body: unknown = JSON.parse(received.text);
      if (isFields(body) && 'seq' in body) this.frames += 1;
      else this.answers += 1;
      this.#walk(body, received.by);
    }
  }

  #walk(value: unknown, by: string): void {
    if (Array.isArray(value)) for (const item of value) this.#walk(item, by);
    else if (isFields(value)) {
      this.#takeFields(value, by);
      for (const part of Object.values(value)) if (typeof part === 'object') this.#walk(part, by);
    }
  }

  #takeFields(fields: Fields, by: string): void {
    const { id, seq, head, position, content, delta, content_revision, last_read_position: read } = fields;
    if (typeof seq === 'number') this.seqs.add(seq);
    for (const number of [seq, head])
      if (typeof number === 'number') this.highestSeq = Math.max(this.highestSeq, number);
    if (typeof read === 'number') this.#takeRead(String(fields['conversation_id'] ?? id), by, read);
    if (typeof id !== 'string') return;
    // Only messages have these fields.
    if (typeof position === 'number' && typeof content === 'string')
      this.#takeMessage(fields as unknown as ShownMessage);
    const known = this.messages.get(id);
    if (known && typeof delta === 'string' && typeof content_revision === 'number')
      this.#takeMessage({ ...known, status: 'streaming', content_revision });
  }

  #takeMessage(message: ShownMessage): void {
    const known = this.messages.get(message.id);
    if (!known || versionOf(message) >= versionOf(known)) this.messages.set(message.id, message);
  }

  #takeRead(chatId: string, username: string, position: number): void {
    const reader = readerOf(chatId, username);
    this.read.set(reader, Math.max(this.read.get(reader) ?? 0, position));
  }
}

export const readerOf = (chatId: string, username: string): string => `${chatId} ${username}`;

/** The end of a reply is newer than all its revisions. */
const versionOf = ({ status, content_revision }: ShownMessage): number =>
  content_revision + (status === 'streaming' ? 0 : 1e9);

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
