import type { LiveStreams } from './live-streams.ts';
import type { ReplyReplicas } from './reply-replicas.ts';
import type { ReplyView } from './reply-view.ts';

/** All open replies: this node's own, and its replicas of the other nodes' replies. */
export class OpenReplies {
  readonly #streams: LiveStreams;
  readonly #replicas: ReplyReplicas;

  constructor(streams: LiveStreams, replicas: ReplyReplicas) {
    this.#streams = streams;
    this.#replicas = replicas;
  }

  *all(): Generator<ReplyView> {
    yield* this.#streams.all();
    yield* this.#replicas.all();
  }

  get(messageKey: number): ReplyView | undefined {
    return this.#streams.get(messageKey) ?? this.#replicas.get(messageKey);
  }

  find(messageId: string): ReplyView | undefined {
    return this.#streams.find(messageId) ?? this.#replicas.find(messageId);
  }
}
