import type { OpenStream } from '../commits/effects.ts';
import type { OpenText } from '../store/messages.ts';
import type { LiveStreams } from './live-streams.ts';
import type { ReplyReplicas } from './reply-replicas.ts';

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
  readonly #replicas: ReplyReplicas;

  constructor(streams: LiveStreams, replicas: ReplyReplicas) {
    this.#streams = streams;
    this.#replicas = replicas;
  }

  *all(): Generator<ShownReply> {
    yield* this.#streams.all();
    yield* this.#replicas.all();
  }

  get(messageKey: number): ShownReply | undefined {
    return this.#streams.get(messageKey) ?? this.#replicas.get(messageKey);
  }

  find(messageId: string): ShownReply | undefined {
    return this.#streams.find(messageId) ?? this.#replicas.find(messageId);
  }
}
