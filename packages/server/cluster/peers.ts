import { randomUUID } from 'node:crypto';
import type { OtherNodes } from '../calls/other-nodes.ts';
import { type Clock, systemClock, type Timer } from '../core/clock.ts';
import type { EventFilter } from '../log/caps.ts';
import type { NodeCalls } from './node-calls.ts';
import { PresenceElsewhere } from './presence.ts';
import type { RedisConnection } from './redis-connection.ts';

/** How long a node may take to answer; a node that takes longer counts as having no sockets. */
const ASK_MS = 1_500;
/** How long requests for the open replies of other nodes are collected before they are sent. */
const GATHER_MS = 100;

export type SubscriptionsOf = [accountKey: number, sessionKey: number | null];

interface PeersNeeds {
  calls: NodeCalls;
  connection: RedisConnection;
  clock: Clock;
  nodeKey: number;
  /** Keys of the other live nodes. */
  others: () => readonly number[];
}

/** The other nodes: calls to them, and what they have reported (CLUSTER-4, CLUSTER-23). */
export class Peers implements OtherNodes {
  readonly presence: PresenceElsewhere;
  /** True while this node has yet to send snapshots of its open replies (ServedNode). */
  isSendingDue = false;
  readonly #needs: PeersNeeds;
  #asking: Timer | null = null;
  /** Nodes from which snapshots of their open replies will be requested. */
  readonly #wanted = new Set<number>();

  constructor(needs: PeersNeeds) {
    this.#needs = needs;
    const { calls, connection, clock } = needs;
    this.presence = new PresenceElsewhere({ calls, connection, clock });
  }

  get isIdle(): boolean {
    return this.#asking === null && !this.isSendingDue;
  }

  countNodes(): number {
    return this.#needs.others().length + 1;
  }

  isLive(accountKey: number): boolean {
    return this.presence.isLive(accountKey);
  }

  async findLive(accountKey: number): Promise<boolean> {
    if (this.isLive(accountKey)) return true;
    const { calls, others } = this.#needs;
    const found = Promise.withResolvers<boolean>();
    const timer = systemClock.setTimer(() => found.resolve(false), ASK_MS);
    const asks = others().map(async (node) => {
      if (await calls.ask(node, 'isLive', accountKey)) found.resolve(true);
    });
    void Promise.allSettled(asks).then(() => found.resolve(false));
    const isLive = await found.promise;
    timer.cancel();
    return isLive;
  }

  /** The first answer of another node to this call; undefined if none answers in time. */
  async firstAnswer(name: string): Promise<unknown> {
    const { calls, others } = this.#needs;
    const found = Promise.withResolvers<unknown>();
    const timer = systemClock.setTimer(() => found.resolve(undefined), ASK_MS);
    const asks = others().map((node) => calls.ask(node, name, null).then(found.resolve));
    void Promise.allSettled(asks).then(() => found.resolve(undefined));
    const answer = await found.promise;
    timer.cancel();
    return answer;
  }

  heardAt(accountKey: number): number | null {
    return this.presence.heardAt(accountKey);
  }

  openedAt(accountKey: number): readonly number[] {
    return this.presence.openedAt(accountKey);
  }

  async subscriptionsOf(...of: SubscriptionsOf): Promise<EventFilter[] | null> {
    const { calls, others } = this.#needs;
    const late = Promise.withResolvers<null>();
    const timer = systemClock.setTimer(() => late.resolve(null), ASK_MS);
    const asks = others().map(async (node) => {
      // ServedNode answers `subscriptionsOf` with this type.
      const answer = calls.ask(node, 'subscriptionsOf', of).catch(() => null) as Promise<EventFilter[] | null>;
      return Promise.race([answer, late.promise]);
    });
    const found = await Promise.all(asks);
    timer.cancel();
    const answered = found.filter((subscriptions) => subscriptions !== null);
    return answered.length === found.length ? answered.flat() : null;
  }

  came(accountKey: number): void {
    this.presence.came(accountKey);
  }

  went(accountKey: number, heardAt: number, isClean: boolean): void {
    this.presence.went(accountKey, heardAt, isClean);
  }

  botCalled(agentKey: number): void {
    this.presence.botCalled(agentKey);
  }

  newSocketId(): string {
    return `n${this.#needs.nodeKey}.${randomUUID()}`;
  }

  /** The node of the socket with this id; undefined for a socket of this node. */
  nodeOfSocket(id: string): number | undefined {
    const node = /^n(\d{1,15})\./.exec(id)?.[1];
    return node === undefined || Number(node) === this.#needs.nodeKey ? undefined : Number(node);
  }

  queryEnded(id: string): void {
    this.#needs.calls.notify('all', 'queryEnded', id);
  }

  askForStreams(nodes: Iterable<number>): void {
    for (const node of nodes) this.#wanted.add(node);
    if (this.#wanted.size === 0) return;
    this.#asking ??= systemClock.setTimer(() => {
      this.#asking = null;
      for (const node of this.#wanted) this.#needs.calls.notify(node, 'showStreams', null);
      this.#wanted.clear();
    }, GATHER_MS);
  }

  /** Forgets the sockets of a dead node. */
  gone(nodeKey: number): void {
    this.presence.forget(nodeKey);
  }

  close(): void {
    this.#asking?.cancel();
    this.#asking = null;
    this.presence.close();
  }
}
