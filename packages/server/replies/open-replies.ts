import type { OpenStream } from '../commits/effects.ts';
import type { OpenText } from '../store/messages.ts';
import type { LiveStreams } from './live-streams.ts';
import type { ReplyReplicas } from './reply-replicas.ts';

/** An open reply as readers see it, whichever node writes it. */
export interface ShownReply {
  readonly info: OpenStream;
  /** The number of the newest event of the reply's text in the log; `partSeq`: of its parts. */
  readonly lastSeq: number;
  readonly partSeq: number;
  /** The text and parts that a client has after both. */
  readonly told: OpenText;
  /** True when the reply has ended or was deleted. */
  readonly isDropped: boolean;
  /** What sockets with the caps `patch` and `focus` have received of the reply. */
  readonly draft: {
    readonly told: (OpenText & { readonly seq: number }) | null;
    readonly latest: OpenText;
    readonly activitySeq: number;
  };
}

/** All open replies: this node's own, and its replicas of the other nodes' replies. */
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
