import type { OpenStream } from '../commits/effects.ts';
import type { OpenText } from '../store/messages.ts';
import type { LiveStreams } from './live-streams.ts';
import type { Mirrors } from './mirrors.ts';

/** An open reply as readers see it, whichever node writes it. */
export interface ShownReply {
  readonly info: OpenStream;
  /** The number of its newest event in the log, and the text that a client has with it. */
  readonly lastSeq: number;
  readonly told: OpenText;
  /** It has ended, or was deleted. */
  readonly isDropped: boolean;
  /** What sockets with the caps `patch` and `focus` have of it. */
  readonly draft: {
    readonly told: (OpenText & { readonly seq: number }) | null;
    readonly latest: OpenText;
    readonly activitySeq: number;
  };
}

/** All open replies: this node's own, and those of the others as they are told here. */
export class OpenReplies {
  readonly #streams: LiveStreams;
  readonly #mirrors: Mirrors;

  constructor(streams: LiveStreams, mirrors: Mirrors) {
    this.#streams = streams;
    this.#mirrors = mirrors;
  }

  *all(): Generator<ShownReply> {
    yield* this.#streams.all();
    yield* this.#mirrors.all();
  }

  get(messageKey: number): ShownReply | undefined {
    return this.#streams.get(messageKey) ?? this.#mirrors.get(messageKey);
  }

  find(messageId: string): ShownReply | undefined {
    return this.#streams.find(messageId) ?? this.#mirrors.find(messageId);
  }
}
