import type { Part, Price, TokenUsage } from '@parley/protocol';
import type { Clock } from '../core/clock.ts';
import type { LiveStream } from './live-stream.ts';

/** How often the text of an open reply is stored; a text above 64 KiB less often. */
const CHECKPOINT_MS = 1_000;
const CHECKPOINT_BYTES_PER_SECOND = 64 * 1024;

export interface Checkpoint {
  messageKey: number;
  text: string;
  /** The parts as JSON; null if there are none. */
  parts: string | null;
  revisionReserved: number;
  /** The running request's usage, if it changed since the last checkpoint. */
  usage?: TokenUsage;
  /** What that usage costs, if it is known. */
  price?: Price | undefined;
}

interface Written {
  text: string;
  parts: readonly Part[] | undefined;
  usage: TokenUsage | null;
  revisionReserved: number;
}

/** What the newest checkpoint of an open reply has stored. */
export class StoredState {
  #written: Written;
  #begunAt = -Infinity;
  #isStoring = false;

  constructor(text: string, parts: readonly Part[] | undefined, revisionReserved: number) {
    this.#written = { text, parts, usage: null, revisionReserved };
  }

  get text(): string {
    return this.#written.text;
  }

  get parts(): readonly Part[] | undefined {
    return this.#written.parts;
  }

  get usage(): TokenUsage | null {
    return this.#written.usage;
  }

  /** After a crash, this revision and later ones are not known to be unused. */
  get revisionReserved(): number {
    return this.#written.revisionReserved;
  }

  /** When the newest checkpoint was begun; `isStoring`: it has not ended. */
  get begunAt(): number {
    return this.#begunAt;
  }

  get isStoring(): boolean {
    return this.#isStoring;
  }

  begin(now: number): void {
    this.#begunAt = now;
    this.#isStoring = true;
  }

  written(written: Written): void {
    this.#written = written;
  }

  end(): void {
    this.#isStoring = false;
  }
}

interface CheckpointNeeds {
  clock: Clock;
  revisionBlock: number;
  write: (checkpoint: Checkpoint) => Promise<void>;
}

/** Stores the texts of open replies while they stream, and reserves their next revisions (STREAM-8). */
export class Checkpoints {
  readonly #needs: CheckpointNeeds;

  constructor(needs: CheckpointNeeds) {
    this.#needs = needs;
  }

  /** Called about once a second, so that the newest text of a quiet stream is stored too. */
  storeAll(streams: Iterable<LiveStream>): Promise<unknown> {
    return Promise.all([...streams].map(async (stream) => this.storeIfDue(stream, CHECKPOINT_MS)));
  }

  /** `earlyMs`: how long before its time a checkpoint may run, for callers that call only once per `earlyMs`. */
  storeIfDue(stream: LiveStream, earlyMs = 0): Promise<void> | undefined {
    const { stored } = stream;
    if (stored.isStoring || !stream.isLive) return undefined;
    const now = this.#needs.clock.monotonic();
    // The first text of its turn: a turn that has added some must not run again (TURN-3, CONTINUE-5).
    const isFirstText = stored.text === stream.info.text && stream.text !== stream.info.text;
    const paceMs = Math.max(CHECKPOINT_MS, (stream.size / CHECKPOINT_BYTES_PER_SECOND) * 1_000);
    const hasNews =
      stored.text !== stream.text || stored.parts !== stream.parts || stored.usage !== stream.request.reported;
    const isDue = hasNews && now - stored.begunAt >= paceMs - earlyMs;
    const isShort = stored.revisionReserved - stream.revision < this.#needs.revisionBlock / 2;
    if (!isFirstText && !isDue && !isShort) return undefined;
    return this.attempt(stream);
  }

  async attempt(stream: LiveStream): Promise<void> {
    try {
      await this.store(stream);
    } catch {
      // The store has logged the failure; the next checkpoint follows within a second.
    }
  }

  /** Stores the text now; throws if the store fails. */
  async store(stream: LiveStream): Promise<void> {
    const { info, text, parts, request, stored } = stream;
    const { reported: usage, price } = request;
    const revisionReserved = stream.revision + this.#needs.revisionBlock;
    stored.begin(this.#needs.clock.monotonic());
    try {
      const isKnown = usage === null || usage === stored.usage;
      await this.#needs.write({
        messageKey: info.messageKey,
        text,
        parts: parts?.length ? JSON.stringify(parts) : null,
        revisionReserved,
        ...(!isKnown && { usage, price }),
      });
      stored.written({ text, parts, usage, revisionReserved });
    } finally {
      stored.end();
    }
  }
}
