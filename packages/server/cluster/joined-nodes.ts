import { nodeByKey } from '../store/engines/postgres-nodes.ts';
import { randomUUID } from 'node:crypto';
import type { Input, OperationName } from '@parley/protocol';
import type { Caller } from '../store/call.ts';
import { systemClock, type Timer } from '../core/clock.ts';
import { performHere } from '../calls/dispatch.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import type { Service } from '../service/service.ts';
import type { Subscription } from '../log/caps.ts';
import type { Calls } from './calls.ts';
import type { OtherNodes } from '../calls/other-nodes.ts';
import { PresenceElsewhere } from './presence.ts';
import type { RedisConnection } from './redis-connection.ts';

/** A node that does not answer for so long has no socket that is of use. */
const ASK_MS = 1_500;
/** What is missing is asked for together with what else is found missing within this time. */
const GATHER_MS = 100;
/** Open replies are shown whole again no more often. */
const REST_MS = 1_000;

const isAboutSocket = (name: OperationName): boolean => name === 'getUpdates' || name === 'wsFocus';

type SubscriptionsOf = [accountKey: number, sessionKey: number | null];

interface Forwarded {
  name: OperationName;
  input: object;
  caller: Caller;
  /** When the socket was opened over which it was asked; null over HTTP. */
  socketOpenedAt: number | null;
}

interface Ports {
  calls: Calls;
  connection: RedisConnection;
  nodeKey: number;
  /** Their keys. */
  others: () => readonly number[];
}

/** The other nodes, through Redis. */
export class JoinedNodes implements OtherNodes {
  readonly #service: Service;
  readonly #calls: Calls;
  readonly #nodeKey: number;
  readonly #presence: PresenceElsewhere;
  readonly #others: () => readonly number[];
  #asking: Timer | null = null;
  /** Nodes whose replies are wanted whole. */
  readonly #wanted = new Set<number>();
  #resting: Timer | null = null;
  #isWanted = false;

  constructor(service: Service, { calls, connection, nodeKey, others }: Ports) {
    this.#service = service;
    this.#calls = calls;
    this.#nodeKey = nodeKey;
    this.#others = others;
    const { clock, sockets, streams } = service;
    this.#presence = new PresenceElsewhere({ calls, connection, clock, own: sockets });
    this.#presence.onGone = (accountKey, heardAt, isClean) => {
      service.push.socketGone(accountKey, heardAt, isClean);
      service.push.socketGoneElsewhere(accountKey);
      void service.typing.socketGone(accountKey);
    };
    this.#presence.onOpened = (accountKey) => sockets.keepBound(accountKey);
    this.#presence.onBot = (agentKey) => streams.botCalled(agentKey);
    calls.serve('showStreams', async () => this.#showStreams());
    calls.serve('isLive', async (accountKey) => sockets.isLive(accountKey as number)); // as findLive asks
    calls.serve('subscriptionsOf', async (of) => {
      const [accountKey, sessionKey] = of as SubscriptionsOf; // as `subscriptionsOf` asks
      return sockets.subscriptionsOf(accountKey, sessionKey);
    });
    calls.serve('queryEnded', async (id) => service.inlineQueries.endedElsewhere(id as string)); // as below
    calls.serve('operation', async (input) => {
      const { name, input: given, caller, socketOpenedAt } = input as Forwarded; // as `forward` has sent it
      return performHere(service, name, given, caller, socketOpenedAt);
    });
    connection.onUp(() => {
      this.askForStreams();
      // What was told meanwhile of those here has reached nobody.
      if (streams.size > 0) this.#showStreams();
    });
  }

  /** Once Redis was tried. */
  start(): void {
    this.#presence.start();
  }

  get isIdle(): boolean {
    return this.#asking === null && !this.#isWanted;
  }

  isLive(accountKey: number): boolean {
    return this.#presence.isLive(accountKey);
  }

  async findLive(accountKey: number): Promise<boolean> {
    if (this.isLive(accountKey)) return true;
    const found = Promise.withResolvers<boolean>();
    const timer = systemClock.setTimer(() => found.resolve(false), ASK_MS);
    const asks = this.#others().map(async (node) => {
      if (await this.#calls.ask(node, 'isLive', accountKey)) found.resolve(true);
    });
    void Promise.allSettled(asks).then(() => found.resolve(false));
    const isLive = await found.promise;
    timer.cancel();
    return isLive;
  }

  heardAt(accountKey: number): number | null {
    return this.#presence.heardAt(accountKey);
  }

  openedAt(accountKey: number): readonly number[] {
    return this.#presence.openedAt(accountKey);
  }

  async subscriptionsOf(...of: SubscriptionsOf): Promise<Subscription[] | null> {
    const late = Promise.withResolvers<null>();
    const timer = systemClock.setTimer(() => late.resolve(null), ASK_MS);
    const asks = this.#others().map(async (node) => {
      // What it answers is what it serves above.
      const answer = this.#calls.ask(node, 'subscriptionsOf', of).catch(() => null) as Promise<Subscription[] | null>;
      return Promise.race([answer, late.promise]);
    });
    const found = await Promise.all(asks);
    timer.cancel();
    const answered = found.filter((subscriptions) => subscriptions !== null);
    return answered.length === found.length ? answered.flat() : null;
  }

  came(accountKey: number): void {
    this.#presence.came(accountKey);
  }

  went(accountKey: number, heardAt: number, isClean: boolean): void {
    this.#presence.went(accountKey, heardAt, isClean);
  }

  botCalled(agentKey: number): void {
    this.#presence.botCalled(agentKey);
  }

  newSocketId(): string {
    return `n${this.#nodeKey}.${randomUUID()}`;
  }

  forward(
    name: OperationName,
    input: object,
    caller: Caller,
    socketOpenedAt: number | null,
  ): Promise<string | undefined> | undefined {
    const place = this.#placeOf(name, input, caller);
    if (place === undefined || place === 'here') return undefined;
    const what = { name, input, caller, socketOpenedAt };
    if (isAboutSocket(name)) return this.#askWhereItWas(Number(place), what);
    return place === 'unknown' ? this.#find(what) : this.#ask(place, what);
  }

  /** What has begun on another node may not have had its turn here: whoever asks has heard of it already (CLUSTER-1). */
  async #find(what: Forwarded): Promise<string | undefined> {
    const { name, input, caller, socketOpenedAt } = what;
    await this.#service.log.catchUp();
    const place = this.#placeOf(name, input, caller);
    if (typeof place === 'number') return this.#ask(place, what);
    return performHere(this.#service, name, input, caller, socketOpenedAt);
  }

  /** The sockets of a node that is no more are gone with it (CLUSTER-7). */
  async #askWhereItWas(node: number, what: Forwarded): Promise<string | undefined> {
    try {
      return await this.#ask(node, what);
    } catch (error) {
      const isUnknown = error instanceof ServiceError && error.code === 'unavailable';
      if (!isUnknown || (await this.#service.read.get(nodeByKey, node))) throw error;
      throw notFound('socket');
    }
  }

  #ask(node: number, what: Forwarded): Promise<string | undefined> {
    // JSON text, or nothing: what performHere answers there.
    return this.#calls.ask(node, 'operation', what) as Promise<string | undefined>;
  }

  queryEnded(id: string): void {
    this.#calls.tell('all', 'queryEnded', id);
  }

  askForStreams(nodes: readonly number[] = [...this.#service.mirrors.owners()]): void {
    for (const node of nodes) this.#wanted.add(node);
    if (this.#wanted.size === 0) return;
    this.#asking ??= systemClock.setTimer(() => {
      this.#asking = null;
      for (const node of this.#wanted) this.#calls.tell(node, 'showStreams', null);
      this.#wanted.clear();
    }, GATHER_MS);
  }

  /** However many ask, and however often: it is much that is shown. */
  #showStreams(): void {
    this.#isWanted = true;
    if (this.#resting) return;
    this.#isWanted = false;
    this.#service.streams.tellAnew();
    this.#resting = systemClock.setTimer(() => {
      this.#resting = null;
      if (this.#isWanted) this.#showStreams();
    }, REST_MS);
  }

  /** A node is gone, and its sockets with it. */
  gone(nodeKey: number): void {
    this.#presence.forget(nodeKey);
  }

  close(): void {
    this.#asking?.cancel();
    this.#asking = null;
    this.#resting?.cancel();
    this.#presence.close();
  }

  /** The node where what this is about lives; undefined for what is done on any. */
  #placeOf(name: OperationName, input: object, caller: Caller): number | 'here' | 'unknown' | undefined {
    const { mirrors, streams, inlineQueries } = this.#service;
    switch (name) {
      case 'appendMessageStream':
      case 'finishMessageStream': {
        const { message_id: id } = input as Input<typeof name>; // parsed as such
        return streams.find(id) ? 'here' : (mirrors.ownerOf(id) ?? 'unknown');
      }
      case 'answerInlineQuery': {
        const { query_id: id } = input as Input<typeof name>; // as above
        return inlineQueries.isHere(id) ? 'here' : (inlineQueries.ownerOf(caller.key, id) ?? 'unknown');
      }
      case 'getUpdates':
      case 'wsFocus':
        return this.#nodeOfSocket((input as Input<typeof name>).socket); // as above
      default:
        return undefined;
    }
  }

  #nodeOfSocket(id: string | undefined): number | undefined {
    const node = /^n(\d{1,15})\./.exec(id ?? '')?.[1];
    return node === undefined || Number(node) === this.#nodeKey ? undefined : Number(node);
  }
}
