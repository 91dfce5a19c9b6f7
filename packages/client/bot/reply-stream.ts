import type { Message, Params, Result, TokenUsage } from '@parley/protocol';
import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';
import type { Timer } from '../environment.ts';
import type { AnswerOptions, TextSource } from './bot.ts';
import { GrowingText } from './growing-text.ts';
import type { ModelEvent } from './models/model-event.ts';
import { StreamReader } from './models/read-stream.ts';
import { PartQueue, type ReplyPart } from './part-queue.ts';
import { type Pace, PASSING, pause, persist } from './retries.ts';
import { readPieces } from './read-pieces.ts';
import { settleUsage } from './usage-of.ts';

/** How long text is batched before it is sent; the first text is sent immediately. */
const GATHER_MS = 50;
/** Interval of keep-alives for an idle reply: the service ends replies that seem abandoned. */
const KEEP_ALIVE_MS = 20_000;
/** The service's limit for texts of agents. */
const MAX_BYTES = 256 * 1024;
/** Maximum UTF-16 units of one append: its JSON is at most six times as long, and a request has at most 1 MiB. */
const MAX_UNITS = 128 * 1024;
const MAX_CONFLICTS = 8;

export type EndStatus = 'complete' | 'failed' | 'cancelled';
type Ending = Omit<Params<'finishMessageStream'>, 'message_id'>;

interface ReplyStreamParts extends Pace {
  client: Pick<Client, 'call'> & Partial<Pick<Client, 'state' | 'stateCell'>>;
  /** The placeholder message. */
  message: Message;
  /** It is unknown whether this daemon or another one started the reply. */
  isDoubtful: boolean;
  /** A user asked to stop the reply. */
  onCancelRequested: () => void;
  /** The reply ended elsewhere or belongs to another daemon: nothing more can be written. */
  onOver: () => void;
}

/** A reply that this daemon writes: it holds the whole text and how much of it the service has. */
export class ReplyStream {
  readonly id: string;
  readonly #parts: ReplyStreamParts;
  readonly #text = new GrowingText(MAX_BYTES);
  readonly #queue = new PartQueue();
  /** The reasoning that is arriving, and how many there were. */
  #thought: { id: string; startedAt: number } | null = null;
  #thoughts = 0;
  /** When each tool of the model began. */
  readonly #toolsAt = new Map<string, number>();
  /** The usage that the model's stream reported. */
  #usage: TokenUsage | undefined;
  readonly #unsubscribe: () => void;
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
    // The service may have been restarted, and have lost parts that it had acknowledged within the last second (PART-10).
    this.#unsubscribe = parts.client.stateCell?.subscribe(() => this.#doubtParts()) ?? (() => {});
    this.#rest();
  }

  /** Whether another daemon may have started the reply. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Streams the source until its end, the limit, or the signal. Throws what the source throws. */
  async take(source: TextSource, signal: AbortSignal): Promise<void> {
    const reader = new StreamReader();
    try {
      await readPieces(source, signal, (piece) => reader.read(piece).every((event) => this.#take(event)));
      // An answer that nobody could read must not look complete.
      if (reader.isSilent && !signal.aborted && !this.#isOver) throw new Error('the stream of the model had no text');
    } finally {
      this.#text.end();
      this.#endThought();
    }
  }

  /** Writes a part. Resolves when the service has it, or when the reply is over. */
  part(part: ReplyPart): Promise<void> {
    if (this.#isOver || this.#isEnding) return Promise.resolve();
    const written = this.#queue.put(part, this.#text.bytes);
    this.#start();
    return written;
  }

  /**
   * Ends the reply with the whole text, whichever pieces have arrived. Null if the reply was already over. If the
   * service refuses the attachments or the usage, the reply ends without them and the refusal is thrown (BOTSDK-23).
   */
  async finish(status: EndStatus, { attachments, usage }: AnswerOptions = {}, emptyText = ''): Promise<Message | null> {
    // Keep-alives continue while the usage is awaited.
    const { used, fault } = await settleUsage(usage ?? this.#usage, this.#parts.clock);
    this.#isEnding = true;
    this.#hurry();
    await this.#pump;
    this.#keepAlive?.cancel();
    await this.#sendParts();
    if (this.#isOver) return null;
    const text = this.#text.text === '' ? emptyText : this.#text.text;
    const plain: Ending = { status, ...(text !== '' && { text }) };
    const whole: Ending = { ...plain, ...(attachments && { attachments }), ...(used && { usage: used }) };
    const { message, refusal } = await this.#endAs([whole, plain, { status: 'failed' }]);
    const cause = fault ?? refusal;
    // If the status is not `complete`, the caller already throws its own error.
    if (cause && status === 'complete') throw cause.error;
    return message;
  }

  /** Tries one ending after another until the service accepts one. */
  async #endAs(endings: Ending[]): Promise<{ message: Message | null; refusal?: { error: unknown } }> {
    let refusal: { error: unknown } | undefined;
    for (const ending of endings) {
      try {
        const message = await persist(this.#parts, (isRepeated) => this.#endOnce(ending, isRepeated));
        this.#unsubscribe();
        this.#queue.close();
        return { message, ...(refusal && { refusal }) };
      } catch (error) {
        if (!(error instanceof ApiError) || PASSING.has(error.code)) throw error;
        // The 404 or 403 may concern an attachment.
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
      // An earlier call whose answer was lost may have ended it.
      const { items } = await this.#parts.client.call('getMessages', { message_ids: [this.id] });
      if (items[0]?.status === 'streaming') throw error;
      return items[0] ?? this.#parts.message;
    }
  }

  /** Stops writing, because the reply ended elsewhere. */
  drop(): void {
    this.#end();
  }

  /** Whether the reply takes more. */
  #take(event: ModelEvent): boolean {
    if ('failure' in event) throw event.failure;
    if ('usage' in event) this.#use(event.usage, event.adds === true);
    if ('think' in event) return this.#think(event.think);
    if ('thought' in event || 'text' in event || 'part' in event) this.#endThought();
    if ('text' in event) return this.#write(event.text);
    if ('part' in event) {
      const { part, tool } = event;
      // A part that the service refuses is left out.
      this.part(tool ? this.#timed(part, tool.isOver) : part).catch(() => {});
    }
    return !this.#isOver;
  }

  #use(usage: TokenUsage, adds: boolean): void {
    const before = adds ? this.#usage : undefined;
    this.#usage = {
      ...usage,
      input_tokens: usage.input_tokens + (before?.input_tokens ?? 0),
      output_tokens: usage.output_tokens + (before?.output_tokens ?? 0),
    };
  }

  #think(text: string): boolean {
    const { clock } = this.#parts;
    if (!this.#thought) {
      this.#thoughts += 1;
      this.#thought = { id: `thought ${this.#thoughts}`, startedAt: clock.monotonic() };
    }
    this.#queue.think(this.#thought.id, text, this.#text.bytes);
    this.#start();
    return !this.#isOver;
  }

  #endThought(): void {
    if (!this.#thought) return;
    const { id, startedAt } = this.#thought;
    this.#thought = null;
    this.#queue.endThought(id, Math.round(this.#parts.clock.monotonic() - startedAt));
    this.#start();
  }

  /** A tool with the time that it took. */
  #timed(part: ReplyPart, isOver: boolean): ReplyPart {
    const now = this.#parts.clock.monotonic();
    const startedAt = this.#toolsAt.get(part.id) ?? now;
    this.#toolsAt.set(part.id, startedAt);
    return isOver && part.type === 'tool' ? { ...part, duration_ms: Math.round(now - startedAt) } : part;
  }

  #write(chunk: string): boolean {
    if (this.#failure) throw this.#failure.error;
    if (this.#isOver) return false;
    const isWithin = this.#text.push(chunk);
    this.#start();
    return isWithin;
  }

  /** Sends what is not sent yet. */
  #start(): void {
    if (this.#isOver || this.#isEnding) return;
    if (this.#text.hasUnsent || this.#queue.hasUnsent) this.#pump ??= this.#send();
  }

  async #send(): Promise<void> {
    try {
      while ((this.#text.hasUnsent || this.#queue.hasUnsent) && !this.#isOver && !this.#isEnding) {
        // The first append also finds out whether another daemon has the reply.
        if (this.#text.hasUnsent || this.#isDoubtful) await this.#append();
        await this.#sendParts();
        if (!this.#isEnding) await this.#gather();
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#pump = null;
      this.#rest();
    }
  }

  async #sendParts(): Promise<void> {
    if (this.#isOver) return;
    try {
      await this.#queue.send(async (part) => {
        const answer = await persist(this.#parts, () => this.#call({ part }));
        if (answer.cancel_requested) this.#parts.onCancelRequested();
      });
    } catch (error) {
      if (!isEnd(error)) throw error;
      this.#end();
    }
  }

  /** Called when the connection is lost: the calls from then on go over HTTP, and are repeated until one arrives. */
  #doubtParts(): void {
    if (this.#parts.client.state === 'live' || this.#isOver || this.#isEnding) return;
    this.#queue.doubt();
    this.#start();
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      this.#hurry = resolve;
      void pause(this.#parts.clock, GATHER_MS).then(resolve);
    });
  }

  async #append(): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      const piece = this.#text.next(MAX_UNITS);
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
        // The service has text that this daemon did not send: another daemon streams the reply.
        if (this.#isDoubtful && offset > 0) return this.#end();
        // After a crash the service has less than it acknowledged, and after a lost answer more (STREAM-14).
        this.#queue.doubt();
        if (conflicts < MAX_CONFLICTS && this.#text.continueFrom(offset)) {
          if (!this.#text.hasUnsent) return undefined;
          continue;
        }
        const { text } = this.#text;
        await persist(this.#parts, () => this.#call({ text }));
        return this.#text.sentAll(text);
      }
    }
  }

  #call(
    what: { delta: string; offset: number } | { text: string } | { part: ReplyPart },
  ): Promise<Result<'appendMessageStream'>> {
    return this.#parts.client.call('appendMessageStream', { message_id: this.id, ...what });
  }

  /** While the source is idle, an empty append renews the lease and reports stops and the end. */
  #rest(): void {
    this.#keepAlive?.cancel();
    if (this.#isOver || this.#isEnding) return;
    this.#keepAlive = this.#parts.clock.setTimer(() => void this.#sendKeepAlive(), KEEP_ALIVE_MS);
  }

  async #sendKeepAlive(): Promise<void> {
    if (this.#pump) return;
    try {
      const { cancel_requested } = await this.#call({ delta: '', offset: this.#text.sentBytes });
      if (cancel_requested) this.#parts.onCancelRequested();
    } catch (error) {
      if (isEnd(error)) return this.#end();
      // Other errors show up with the next append.
    }
    if (!this.#pump) this.#rest();
    return undefined;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unsubscribe();
    this.#queue.close();
    this.#keepAlive?.cancel();
    this.#hurry();
    this.#parts.onOver();
  }
}

/** Whether the stream is over: it ended, was deleted, or the bot was removed from the conversation. */
const isEnd = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'not_found' ||
    error.code === 'forbidden' ||
    (error.code === 'conflict' && typeof error.parameters['offset'] !== 'number'));
