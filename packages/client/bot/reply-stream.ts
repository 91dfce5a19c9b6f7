import type { Message, Params, Result } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Timer } from '../environment.ts';
import type { AnswerOptions, TextSource } from './bot.ts';
import { GrowingText } from './growing-text.ts';
import { type Pace, PASSING, pause, persist } from './persist.ts';
import { readPieces } from './read-pieces.ts';
import { settleUsage } from './usage-of.ts';

/** What gathers for so long goes out together; the first text goes at once. */
const GATHER_MS = 50;
/** A quiet reply is told of so often: the service gives up one that nobody seems to write. */
const KEEP_ALIVE_MS = 20_000;
/** The service's limit for agents. */
const MOST_BYTES = 256 * 1024;
/** Of one append: as JSON it is at most six times as long, and a request has at most 1 MiB. */
const MOST_UNITS = 128 * 1024;
const MOST_CONFLICTS = 8;

export type EndStatus = 'complete' | 'failed' | 'cancelled';
type Ending = Omit<Params<'finishMessageStream'>, 'message_id'>;

export interface ReplyStreamParts extends Pace {
  client: Pick<Client, 'call'>;
  /** The placeholder. */
  message: Message;
  /** It may be another daemon's: it is not known which of the two has started it. */
  isDoubtful: boolean;
  /** Somebody has asked for a stop. */
  onCancelRequested: () => void;
  /** It has ended without us, or is another's: nothing more can be written. */
  onOver: () => void;
}

/** A reply as this daemon writes it: it knows the whole text, and how much of it the service has. */
export class ReplyStream {
  readonly id: string;
  readonly #parts: ReplyStreamParts;
  readonly #text = new GrowingText(MOST_BYTES);
  #isDoubtful: boolean;
  #isOver = false;
  #isEnding = false;
  #pump: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;
  #keepAlive: Timer | null = null;
  /** Ends the wait for more text. */
  #hurry: () => void = () => {};

  constructor(parts: ReplyStreamParts) {
    this.id = parts.message.id;
    this.#parts = parts;
    this.#isDoubtful = parts.isDoubtful;
    this.#rest();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes all that comes, until the end, the limit, or the signal. Throws what the source throws. */
  async take(source: TextSource, signal: AbortSignal): Promise<void> {
    try {
      await readPieces(source, signal, (piece) => this.#write(piece));
    } finally {
      this.#text.end();
    }
  }

  /**
   * Ends it with the whole text, whatever the service has of the pieces. Null where it is over. When the service refuses
   * the attachments or the usage, the reply ends without them, and the refusal is thrown (BOTSDK-23).
   */
  async finish(status: EndStatus, { attachments, usage }: AnswerOptions = {}, emptyText = ''): Promise<Message | null> {
    // The reply is kept alive while its usage is awaited.
    const { used, fault } = await settleUsage(usage, this.#parts.clock);
    this.#isEnding = true;
    this.#hurry();
    await this.#pump;
    this.#keepAlive?.cancel();
    if (this.#isOver) return null;
    const text = this.#text.text === '' ? emptyText : this.#text.text;
    const plain: Ending = { status, ...(text !== '' && { text }) };
    const whole: Ending = { ...plain, ...(attachments && { attachments }), ...(used && { usage: used }) };
    const { message, refusal } = await this.#endAs([whole, plain, { status: 'failed' }]);
    const cause = fault ?? refusal;
    // Any other end has an error of its own, which the caller throws.
    if (cause && status === 'complete') throw cause.error;
    return message;
  }

  /** Tries one ending after the other until the service takes one. */
  async #endAs(endings: Ending[]): Promise<{ message: Message | null; refusal?: { error: unknown } }> {
    let refusal: { error: unknown } | undefined;
    for (const ending of endings) {
      try {
        const message = await persist(this.#parts, (isRepeated) => this.#endOnce(ending, isRepeated));
        return { message, ...(refusal && { refusal }) };
      } catch (error) {
        if (!(error instanceof ApiError) || PASSING.has(error.code)) throw error;
        // An attachment may be what is not found, or not the bot's to use.
        if (isEnd(error) && !ending.attachments) break;
        refusal ??= { error };
      }
    }
    this.#end();
    return { message: null, ...(refusal && { refusal }) };
  }

  async #endOnce(ending: Ending, isRepeated: boolean): Promise<Message> {
    try {
      return await this.#parts.client.call('finishMessageStream', { message_id: this.id, ...ending });
    } catch (error) {
      if (!isRepeated || !isEnd(error)) throw error;
      // An earlier call may have ended it, and its answer was lost.
      const { items } = await this.#parts.client.call('getMessages', { message_ids: [this.id] });
      if (items[0]?.status === 'streaming') throw error;
      return items[0] ?? this.#parts.message;
    }
  }

  /** Nothing more is written: it has ended elsewhere. */
  drop(): void {
    this.#end();
  }

  #write(chunk: string): boolean {
    if (this.#failure) throw this.#failure.error;
    if (this.#isOver) return false;
    const isWithin = this.#text.push(chunk);
    if (this.#text.hasUnsent) this.#pump ??= this.#send();
    return isWithin;
  }

  async #send(): Promise<void> {
    try {
      while (this.#text.hasUnsent && !this.#isOver && !this.#isEnding) {
        await this.#append();
        if (!this.#isEnding) await this.#gather();
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#pump = null;
      this.#rest();
    }
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      this.#hurry = resolve;
      void pause(this.#parts.clock, GATHER_MS).then(resolve);
    });
  }

  async #append(): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      const piece = this.#text.next(MOST_UNITS);
      try {
        const answer = await persist(this.#parts, () => this.#call({ ...piece }));
        this.#text.sent(piece);
        this.#isDoubtful = false;
        if (answer.cancel_requested) this.#parts.onCancelRequested();
        return;
      } catch (error) {
        const offset = error instanceof ApiError ? error.parameters['offset'] : undefined;
        if (typeof offset !== 'number') {
          if (!isEnd(error)) throw error;
          return this.#end();
        }
        // Text, and none of ours: the other daemon has it.
        if (this.#isDoubtful && offset > 0) return this.#end();
        // A service that died has less than it had said; or more, where an answer was lost (STREAM-14).
        if (conflicts < MOST_CONFLICTS && this.#text.goOnFrom(offset)) {
          if (!this.#text.hasUnsent) return undefined;
          continue;
        }
        const { text } = this.#text;
        await persist(this.#parts, () => this.#call({ text }));
        return this.#text.sentAll(text);
      }
    }
  }

  #call(what: { delta: string; offset: number } | { text: string }): Promise<Result<'appendMessageStream'>> {
    return this.#parts.client.call('appendMessageStream', { message_id: this.id, ...what });
  }

  /** While nothing comes, an append of nothing keeps the lease, and tells of stops and of the end. */
  #rest(): void {
    this.#keepAlive?.cancel();
    if (this.#isOver || this.#isEnding) return;
    this.#keepAlive = this.#parts.clock.setTimer(() => void this.#tellAlive(), KEEP_ALIVE_MS);
  }

  async #tellAlive(): Promise<void> {
    if (this.#pump) return;
    try {
      const { cancel_requested } = await this.#call({ delta: '', offset: this.#text.sentBytes });
      if (cancel_requested) this.#parts.onCancelRequested();
    } catch (error) {
      if (isEnd(error)) return this.#end();
      // Anything else is found out by what is written next.
    }
    if (!this.#pump) this.#rest();
    return undefined;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#keepAlive?.cancel();
    this.#hurry();
    this.#parts.onOver();
  }
}

/** The service says that this stream is no more: ended, deleted, or the bot was taken out of the conversation. */
const isEnd = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' ||
    error.code === 'forbidden' ||
    (error.code === 'conflict' && typeof error.parameters['offset'] !== 'number'));
