import type { Params } from '@parley/protocol';
import { ApiError } from '../api.ts';
import { type Deferred, deferred } from '../deferred.ts';
import { GrowingText } from './growing-text.ts';

/** A part as the service takes it. */
export type ReplyPart = NonNullable<Params<'appendMessageStream'>['part']>;

/** The service's limit for the parts of a message. */
const MAX_BYTES = 256 * 1024;
/** Maximum UTF-16 units of one piece of reasoning, see MAX_UNITS of the text. */
const MAX_UNITS = 32 * 1024;

interface Whole {
  part: ReplyPart;
  isSent: boolean;
  waiting: Deferred<void>[];
}

/** Reasoning that grows. */
interface Thought {
  text: GrowingText;
  offset: number;
  /** False until the service has the part, and thereby its place. */
  isBegun: boolean;
  duration_ms?: number;
  isEnded: boolean;
}

/** The parts of a reply, in the order in which they were first written, and which of them the service has. */
export class PartQueue {
  readonly #wholes = new Map<string, Whole>();
  readonly #thoughts = new Map<string, Thought>();

  get hasUnsent(): boolean {
    return this.#nextWhole() !== undefined || this.#nextThought() !== undefined;
  }

  /** Resolves when the service has this state of the part, or a later one; rejects if it refuses it. */
  put(part: ReplyPart, offset: number): Promise<void> {
    const waiting = deferred<void>();
    const known = this.#wholes.get(part.id);
    const placed = { ...part, offset: part.offset ?? known?.part.offset ?? offset };
    this.#wholes.set(part.id, { part: placed, isSent: false, waiting: [...(known?.waiting ?? []), waiting] });
    return waiting.promise;
  }

  think(id: string, text: string, offset: number): void {
    const known = this.#thoughts.get(id) ?? {
      text: new GrowingText(MAX_BYTES),
      offset,
      isBegun: false,
      isEnded: false,
    };
    this.#thoughts.set(id, known);
    known.text.push(text);
  }

  endThought(id: string, duration_ms: number): void {
    const thought = this.#thoughts.get(id);
    if (!thought || thought.duration_ms !== undefined) return;
    thought.text.end();
    thought.duration_ms = duration_ms;
  }

  /** The reply is over: nothing more is sent. */
  close(): void {
    for (const { waiting } of this.#wholes.values()) for (const { resolve } of waiting.splice(0)) resolve();
    this.#wholes.clear();
    this.#thoughts.clear();
  }

  /** The service may have lost what it had acknowledged: everything is sent again, which changes nothing there. */
  doubt(): void {
    for (const whole of this.#wholes.values()) whole.isSent = false;
    for (const thought of this.#thoughts.values()) {
      thought.isBegun = false;
      thought.isEnded = false;
    }
  }

  /** Sends what the service does not have. Throws only what concerns the whole reply. */
  async send(write: (part: ReplyPart) => Promise<unknown>): Promise<void> {
    for (;;) {
      const whole = this.#nextWhole();
      const thought = this.#nextThought();
      if (whole) await this.#sendWhole(whole, write);
      else if (thought) await this.#sendThought(...thought, write);
      else return;
    }
  }

  async #sendWhole(whole: Whole, write: (part: ReplyPart) => Promise<unknown>): Promise<void> {
    const { part } = whole;
    whole.isSent = true;
    const waiting = whole.waiting.splice(0);
    try {
      await write(part);
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      // Only this part is refused; the next state of it is tried again.
      if (!isRefusal(error)) throw error;
    }
  }

  async #sendThought(id: string, thought: Thought, write: (part: ReplyPart) => Promise<unknown>): Promise<void> {
    const { text, offset } = thought;
    const type = 'reasoning' as const;
    const duration_ms = thought.duration_ms;
    const timed = duration_ms === undefined ? {} : { duration_ms };
    try {
      if (!thought.isBegun) {
        const sent = text.text;
        await write({ id, type, offset, text: sent, ...timed });
        text.sentAll(sent);
        thought.isBegun = true;
      } else {
        const piece = text.next(MAX_UNITS);
        await write({ id, type, append: piece.delta, text_offset: piece.offset, ...timed });
        text.sent(piece);
      }
      thought.isEnded = duration_ms !== undefined && !text.hasUnsent;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Too long, or too much in all: the reply goes on without the rest.
      if (typeof error.parameters['offset'] !== 'number') this.#thoughts.delete(id);
      else thought.isBegun = false;
    }
  }

  #nextWhole(): Whole | undefined {
    for (const whole of this.#wholes.values()) if (!whole.isSent) return whole;
    return undefined;
  }

  #nextThought(): [id: string, thought: Thought] | undefined {
    for (const [id, thought] of this.#thoughts) {
      const { text, isBegun, isEnded, duration_ms } = thought;
      const isDue = !isBegun || (duration_ms !== undefined && !isEnded);
      if (text.hasUnsent || (isDue && text.text !== '')) return [id, thought];
    }
    return undefined;
  }
}

/** The service refuses this part, but not the reply. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.code === 'too_large' ||
    error.code === 'invalid_argument' ||
    (error.code === 'conflict' && typeof error.parameters['offset'] === 'number'));
