import type { Price, TokenUsage } from '@parley/protocol';
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

export interface CheckpointRooms {
  clock: Clock;
  revisionBlock: number;
  write: (checkpoint: Checkpoint) => Promise<void>;
}

/** Stores the texts of open replies while they stream, and reserves their next revisions (STREAM-8). */
export class Checkpoints {
  readonly #ports: CheckpointRooms;

  constructor(ports: CheckpointRooms) {
    this.#ports = ports;
  }

  /** Called about once a second, so that the newest text of a quiet stream is stored too. */
  storeAll(streams: Iterable<LiveStream>): Promise<unknown> {
    return Promise.all([...streams].map(async (stream) => this.storeIfDue(stream, CHECKPOINT_MS)));
  }

  /** `earlyMs`: how long before its time a checkpoint may run, for callers that call only once per `earlyMs`. */
  storeIfDue(stream: LiveStream, earlyMs = 0): Promise<void> | undefined {
    if (stream.checkpointing || !stream.isLive) return undefined;
    const now = this.#ports.clock.monotonic();
    // The first text of its turn: a turn that has added some must not run again (TURN-3, CONTINUE-5).
    const isFirstText = stream.checkpointed === stream.info.text && stream.text !== stream.info.text;
    const paceMs = Math.max(CHECKPOINT_MS, ((stream.bytes + stream.partsBytes) / CHECKPOINT_BYTES_PER_SECOND) * 1_000);
    const hasNews =
      stream.checkpointed !== stream.text ||
      stream.checkpointedParts !== stream.parts?.list ||
      stream.checkpointedUsage !== stream.usage;
    const isDue = hasNews && now - stream.checkpointAt >= paceMs - earlyMs;
    const isShort = stream.revisionReserved - stream.revision < this.#ports.revisionBlock / 2;
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
    const { text, usage, price } = stream;
    const parts = stream.parts?.list;
    const revisionReserved = stream.revision + this.#ports.revisionBlock;
    stream.checkpointing = true;
    stream.checkpointAt = this.#ports.clock.monotonic();
    try {
      const isKnown = usage === null || usage === stream.checkpointedUsage;
      const messageKey = stream.info.messageKey;
      await this.#ports.write({
        messageKey,
        text,
        parts: parts?.length ? JSON.stringify(parts) : null,
        revisionReserved,
        ...(!isKnown && { usage, price }),
      });
      stream.checkpointed = text;
      stream.checkpointedParts = parts;
      stream.checkpointedUsage = usage;
      stream.revisionReserved = revisionReserved;
    } finally {
      stream.checkpointing = false;
    }
  }
}
