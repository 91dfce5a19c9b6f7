import { type Clock, pause } from '../core/clock.ts';
import type { ClusterLog } from '../log/engines/cluster.ts';
import { unavailable } from '../core/errors.ts';
import type { Mirrors } from '../agents/mirrors.ts';
import type { Sockets } from '../sockets/sockets.ts';
import { logHead } from '../store/engines/postgres-log.ts';
import type { Bus } from './bus.ts';
import type { Calls } from './calls.ts';
import { loadReplicas } from './load-replicas.ts';
import { ServedNode, type ServedRooms } from './served-node.ts';
import type { Nodes } from './nodes.ts';
import type { Peers } from './peers.ts';
import type { RedisConnection } from './redis-connection.ts';
import { TakeOver, type TakeOverRooms } from './take-over.ts';
import { Verdict } from './verdict.ts';

/** How often the log's head is looked at: what Redis lost is found by it. */
const LOOK_MS = 1_000;
/** … while Redis is away, and nothing comes by itself. */
const LOOK_ALONE_MS = 250;
/** A node that stops asks so many others to go on with what it leaves. */
const MOST_HEIRS = 3;
/** … and waits so long for each: it may be stopping, too. */
const HEIR_MS = 1_000;
/** Every so many looks the lead also looks at what waits for agents, and at how the tables have grown. */
const LOOKS_PER_TIDYING = 3;

interface Ports {
  nodes: Nodes;
  connection: RedisConnection;
  bus: Bus;
  calls: Calls;
  peers: Peers;
  log: ClusterLog;
  clock: Clock;
  analyze: () => Promise<void>;
  onFault: (error: unknown, what: string) => void;
}

export interface MemberRooms extends ServedRooms, TakeOverRooms {
  readonly mirrors: Mirrors;
  readonly sockets: Sockets;
  readonly isDraining: () => boolean;
}

/** This node among the others: it hears them, they hear it, and what one leaves that is gone another goes on with. */
export class Membership {
  readonly #rooms: MemberRooms;
  readonly #ports: Ports;
  readonly #served: ServedNode;
  readonly #takeOver: TakeOver;
  readonly #verdict: Verdict;
  readonly #closing = new AbortController();
  #live: readonly number[] = [];
  #looks = 0;

  constructor(rooms: MemberRooms, ports: Ports) {
    const { nodes, connection, bus, calls, peers, clock } = ports;
    this.#rooms = rooms;
    this.#ports = ports;
    this.#served = new ServedNode(rooms, { calls, connection, peers });
    this.#takeOver = new TakeOver(rooms);
    this.#verdict = new Verdict({ calls, connection, clock, givesUp: () => nodes.givesUp });
    // Whoever comes is known at once, not with the next sign of life.
    calls.serve('joined', () => nodes.beat());
    calls.serve('left', async (_, from) => {
      // Whoever leaves asks another one.
      if (rooms.isDraining()) throw unavailable('the service is stopping');
      this.takeOverFrom(from);
    });
    // What was told meanwhile, by this node or to it, nobody has heard.
    bus.onUp = () => this.#lookNow();
  }

  async start(): Promise<void> {
    await this.#ports.connection.open();
    this.#ports.calls.tell('all', 'joined', null);
    // Who came meanwhile has told it before this one could hear.
    await this.#ports.nodes.beat();
    await loadReplicas(this.#rooms.mirrors, this.#rooms.read);
    this.#ports.peers.presence.start(this.#rooms.sockets);
    await this.#takeOver.all();
    void this.#watch();
  }

  /** Once it has no place among the nodes any more. */
  async leave(): Promise<void> {
    this.#closing.abort();
    this.#served.close();
    this.#ports.peers.close();
    const { nodes } = this.#ports;
    const heirs = nodes.live.filter((key) => key !== nodes.key).slice(0, MOST_HEIRS);
    // Without any, the lead finds it a little later.
    for (const heir of heirs) if (await this.#isTaken(heir)) break;
    this.#ports.calls.close();
  }

  /** Goes on with what a node has left that is gone; one that is stopping itself leaves it to the others. */
  takeOverFrom(node: number): void {
    if (this.#rooms.isDraining()) return;
    this.#takeOver.of([node]).catch((error: unknown) => {
      if (!this.#rooms.isDraining()) this.#ports.onFault(error, 'a take-over failed');
    });
  }

  /** Requests the open replies of all other nodes: some of their deltas were lost. */
  askForStreams(): void {
    this.#ports.peers.askForStreams(this.#rooms.mirrors.owners());
  }

  /** Those of these nodes that do not listen at Redis; none where that cannot be told. */
  async notListening(nodeKeys: readonly number[]): Promise<readonly number[]> {
    return this.#ports.calls.notListening(nodeKeys).catch(() => []);
  }

  /** Whether the others give this node up, as far as they can be asked; one that is stopping ends anyway. */
  async isGivenUp(): Promise<boolean> {
    return !this.#rooms.isDraining() && (await this.#verdict.isGivenUp());
  }

  #isTaken(heir: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#ports.clock.setTimer(() => resolve(false), HEIR_MS);
    this.#ports.calls.ask(heir, 'left', null).then(
      () => resolve(true),
      () => resolve(false),
    );
    return promise.finally(() => timer.cancel());
  }

  async #watch(): Promise<void> {
    const { clock, bus } = this.#ports;
    while (!this.#closing.signal.aborted) {
      await this.#look().catch((error: unknown) => this.#onLookFault(error));
      await pause(clock, bus.isUp ? LOOK_MS : LOOK_ALONE_MS, this.#closing.signal).catch(() => {});
    }
  }

  #lookNow(): void {
    this.#look().catch((error: unknown) => this.#onLookFault(error));
  }

  #onLookFault(error: unknown): void {
    // One that leaves closes what the look asks.
    if (!this.#closing.signal.aborted) this.#ports.onFault(error, 'the log could not be looked at');
  }

  async #look(): Promise<void> {
    const { nodes, bus, log, analyze } = this.#ports;
    const gone = this.#live.filter((key) => !nodes.live.includes(key));
    this.#live = nodes.live;
    for (const key of gone) this.#ports.peers.gone(key);
    const head = (await this.#rooms.read.get(logHead))?.seq ?? 0;
    // What is on its way comes by itself; while Redis is away nothing does.
    log.knows(head, bus.isUp ? undefined : 0);
    this.#looks += 1;
    if (!nodes.isLead || this.#looks % LOOKS_PER_TIDYING !== 0) return;
    await this.#takeOver.wakeLanes();
    await analyze();
  }
}
