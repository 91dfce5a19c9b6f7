import type { Actor } from '@parley/protocol';
import type { OpenStream } from '../commits/effects.ts';
import type { OpenText } from '../rendering/messages.ts';
import type { Checkpoints } from './checkpoints.ts';
import { LiveStream } from './live-stream.ts';
import type { PendingSnapshots } from './pending-snapshots.ts';
import { type PublisherNeeds, ReplyPublisher } from './publisher.ts';

export interface StreamNeeds extends PublisherNeeds {
  /** True in a cluster: other nodes publish these replies too. */
  isShared: boolean;
  /** When each live socket of an agent was opened, on any node. */
  socketsOf: (agentKey: number) => readonly number[];
}

/** All open replies of this process: what is written into them is published and stored. */
export class LiveStreams {
  readonly #needs: StreamNeeds;
  readonly #publisher: ReplyPublisher;
  readonly checkpoints: Checkpoints;
  readonly snapshots: PendingSnapshots;
  readonly #byKey = new Map<number, LiveStream>();
  readonly #byId = new Map<string, LiveStream>();

  constructor(needs: StreamNeeds) {
    this.#needs = needs;
    this.checkpoints = needs.checkpoints;
    this.snapshots = needs.snapshots;
    this.#publisher = new ReplyPublisher(needs);
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Iterable<LiveStream> {
    return this.#byKey.values();
  }

  get(messageKey: number): LiveStream | undefined {
    return this.#byKey.get(messageKey);
  }

  find(messageId: string): LiveStream | undefined {
    return this.#byId.get(messageId);
  }

  open(info: OpenStream): LiveStream {
    const known = this.#byKey.get(info.messageKey);
    if (known) return known;
    const stream = new LiveStream(info, this.#needs.clock.monotonic(), (changed) => this.#publisher.changed(changed));
    this.#byKey.set(info.messageKey, stream);
    this.#byId.set(info.messageId, stream);
    this.#publisher.opened(stream);
    // Readers on other nodes do not call `textOf` here, so publish the stored text now. Most of the server's own turns do
    // not need this: recovery ends those that have added text and repeats the others, but for turns with tools, which
    // keep the text of their stored steps (TURN-3, TURN-4, TURN-19).
    if (this.#needs.isShared && (info.runner === 'daemon' || info.text !== '' || info.parts.length > 0))
      this.#publisher.publishRestored(stream);
    return stream;
  }

  drop(messageKey: number): LiveStream | undefined {
    const stream = this.#byKey.get(messageKey);
    if (!stream) return undefined;
    stream.apply('drop');
    this.#byKey.delete(messageKey);
    this.#byId.delete(stream.info.messageId);
    this.#publisher.dropped(stream);
    this.snapshots.drop(stream.info.messageId);
    return stream;
  }

  /** Updates the name of an agent in its open replies. */
  rename(agentKey: number, agent: Actor): void {
    for (const stream of this.#byKey.values()) if (stream.info.agentKey === agentKey) stream.rename(agent);
  }

  /** Renews the leases of a bot's streams after an HTTP call that concerns none of them (STREAM-7). */
  botCalled(agentKey: number): void {
    if (this.#byKey.size === 0) return;
    const now = this.#needs.clock.monotonic();
    const openSockets = this.#needs.socketsOf(agentKey);
    for (const { info, lease } of this.#byKey.values())
      if (info.agentKey === agentKey) lease.botCalled(now, openSockets);
  }

  /** Records a call about the stream; `socketOpenedAt` is null for a call over HTTP. */
  called(stream: LiveStream, socketOpenedAt: number | null): void {
    stream.lease.called(this.#needs.clock.monotonic(), socketOpenedAt);
  }

  /** True when the daemon that writes the stream has been silent for too long (STREAM-7). */
  isLapsed(stream: LiveStream): boolean {
    return stream.lease.isOver(this.#needs.clock.monotonic(), this.socketsOf(stream));
  }

  /** When each live socket of the stream's bot was opened, on any node. */
  socketsOf({ info }: LiveStream): readonly number[] {
    return this.#needs.socketsOf(info.agentKey);
  }

  /** The text for a reader that loads it now. */
  textOf(stream: LiveStream): OpenText {
    this.#publisher.publishPending(stream);
    this.#publisher.publishRestored(stream);
    return stream.published;
  }

  /** Publishes what is pending without waiting for more. */
  publishPending(stream: LiveStream): void {
    this.#publisher.publishPending(stream);
  }

  /** Publishes the whole text of every open reply, for nodes and sockets that may have missed a part of it. */
  republishAll(): void {
    for (const stream of this.#byKey.values()) {
      if (!stream.isLive) continue;
      stream.requireSnapshot();
      this.#publisher.changed(stream);
    }
  }

  /** Params of `draftActivity` for a published text of a reply. */
  activityOf(messageKey: number, published: OpenText): Promise<string> {
    return this.#publisher.activityOf(messageKey, published);
  }

  /** Stops publishing. */
  close(): void {
    this.#publisher.close();
  }
}
