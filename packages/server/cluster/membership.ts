import { type Clock, pause } from '../core/clock.ts';
import type { ClusterLog } from '../log/engines/cluster-log.ts';
import { unavailable } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { PublishedTyping } from '../agents/typing-ends.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { Sockets } from '../sockets/sockets.ts';
import { logHead } from '../store/engines/postgres-log.ts';
import type { Bus } from './bus.ts';
import type { NodeCalls } from './node-calls.ts';
import { loadReplicas } from './load-replicas.ts';
import { ServedNode, type ServedRooms } from './served-node.ts';
import type { Nodes } from './nodes.ts';
import type { Peers } from './peers.ts';
import type { RedisConnection } from './redis-connection.ts';
import { TakeOver, type TakeOverRooms } from './take-over.ts';
import { Verdict } from './verdict.ts';

/**
 * Interval at which the log's head is read, to find events whose message Redis lost, and at which missing parts of open
 * replies are requested.
 */
const LOOK_MS = 1_000;
/** The same interval while Redis is unavailable and no messages arrive. */
const LOOK_ALONE_MS = 250;
/** Maximum number of nodes that a stopping node asks to take over its work. */
const MAX_HEIRS = 3;
/** How long a stopping node waits for each of these nodes to accept; they may be stopping too. */
const HEIR_MS = 1_000;
/** Number of checks after which the lead also wakes waiting turns and updates table statistics. */
const LOOKS_PER_TIDYING = 3;
/** The pause after a take-over that failed. */
const AGAIN_MS = 1_000;

interface MembershipNeeds {
  nodes: Nodes;
  connection: RedisConnection;
  bus: Bus;
  calls: NodeCalls;
  peers: Peers;
  log: ClusterLog;
  settings: Pick<Settings, 'revisionBlock'>;
  clock: Clock;
  analyze: () => Promise<void>;
  onFault: (error: unknown, what: string) => void;
}

export interface MemberRooms extends ServedRooms, TakeOverRooms {
  readonly replicas: ReplyReplicas;
  readonly sockets: Sockets;
  /** `isDraining`: the service stops. */
  readonly life: { readonly isDraining: boolean };
}

/** This node's membership: exchanges messages with the other nodes, and takes over the work of dead ones. */
export class Membership {
  readonly #rooms: MemberRooms;
  readonly #needs: MembershipNeeds;
  readonly #served: ServedNode;
  readonly #takeOver: TakeOver;
  readonly #verdict: Verdict;
  readonly #closing = new AbortController();
  #live: readonly number[] = [];
  #looks = 0;

  constructor(rooms: MemberRooms, needs: MembershipNeeds) {
    const { nodes, connection, bus, calls, peers, clock } = needs;
    this.#rooms = rooms;
    this.#needs = needs;
    this.#served = new ServedNode(rooms, { calls, connection, peers });
    this.#takeOver = new TakeOver(rooms);
    this.#verdict = new Verdict({ calls, connection, clock, givesUp: () => nodes.givesUp });
    // Notice a new node immediately instead of at the next sign of life.
    calls.serve('joined', () => nodes.beat());
    calls.serve('left', async (_, from) => {
      // The error makes the leaving node ask another one.
      if (rooms.life.isDraining) throw unavailable('the service is stopping');
      this.takeOverFrom(from);
    });
    // Messages sent while Redis was unavailable were lost.
    bus.onUp = () => this.#lookNow();
  }

  async start(): Promise<void> {
    await this.#needs.connection.open();
    this.#needs.calls.notify('all', 'joined', null);
    // Only a beat finds nodes that joined before this node listened to Redis.
    await this.#needs.nodes.beat();
    const { nodes, settings } = this.#needs;
    const { revisionBlock } = settings;
    await this.#learnTyping();
    await loadReplicas(this.#rooms.replicas, { read: this.#rooms.read, node: nodes.key, revisionBlock });
    this.#needs.peers.presence.start(this.#rooms.sockets.live);
    await this.#takeOver.all();
    void this.#watch();
  }

  /** Called after this node has been removed from the live nodes: asks another node to take over its work. */
  async leave(): Promise<void> {
    this.#closing.abort();
    this.#served.close();
    this.#needs.peers.close();
    const { nodes } = this.#needs;
    const heirs = nodes.live.filter((key) => key !== nodes.key).slice(0, MAX_HEIRS);
    // If no node accepts, the lead takes over a little later.
    for (const heir of heirs) if (await this.#isTaken(heir)) break;
    this.#needs.calls.close();
  }

  /** Takes over the work of a dead node; a stopping node does nothing, because other nodes take over. */
  takeOverFrom(node: number): void {
    void this.#takeOverAll([node]);
  }

  /** Tries until it has succeeded: no node reports a node again that was given up. */
  async #takeOverAll(nodes: readonly number[]): Promise<void> {
    while (!this.#rooms.life.isDraining) {
      try {
        return await this.#takeOver.of(nodes);
      } catch (error) {
        if (this.#rooms.life.isDraining) return undefined;
        this.#needs.onFault(error, 'a take-over failed');
      }
      await pause(this.#needs.clock, AGAIN_MS, this.#closing.signal).catch(() => {});
    }
    return undefined;
  }

  /** Requests snapshots of the open replies of all other nodes, because some of their deltas were lost. */
  askForStreams(): void {
    this.#needs.peers.askForStreams(this.#rooms.replicas.owners());
  }

  /** Returns those of the given nodes that do not listen to Redis; an empty list if Redis cannot be asked. */
  async notListening(nodeKeys: readonly number[]): Promise<readonly number[]> {
    return this.#needs.calls.notListening(nodeKeys).catch(() => []);
  }

  /** Whether the other nodes that can be asked give this node up; false if this node is stopping anyway. */
  async isGivenUp(): Promise<boolean> {
    return !this.#rooms.life.isDraining && (await this.#verdict.isGivenUp());
  }

  /** Learns from another node whose typing has ended, for the replays of clients that were disconnected (LOG-19). */
  async #learnTyping(): Promise<void> {
    const { peers } = this.#needs;
    const known = await peers.firstAnswer('typingEnds');
    // As ServedNode answers it.
    this.#rooms.typingEnds.learn((known ?? []) as PublishedTyping[]);
  }

  #isTaken(heir: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#needs.clock.setTimer(() => resolve(false), HEIR_MS);
    this.#needs.calls.ask(heir, 'left', null).then(
      () => resolve(true),
      () => resolve(false),
    );
    return promise.finally(() => timer.cancel());
  }

  async #watch(): Promise<void> {
    const { clock, bus } = this.#needs;
    while (!this.#closing.signal.aborted) {
      await this.#look().catch((error: unknown) => this.#onLookFault(error));
      await pause(clock, bus.isUp ? LOOK_MS : LOOK_ALONE_MS, this.#closing.signal).catch(() => {});
    }
  }

  #lookNow(): void {
    this.#look().catch((error: unknown) => this.#onLookFault(error));
  }

  #onLookFault(error: unknown): void {
    // A check may fail while this node leaves, because its connections are closing.
    if (!this.#closing.signal.aborted && !this.#rooms.life.isDraining)
      this.#needs.onFault(error, 'failed to read the log’s head');
  }

  async #look(): Promise<void> {
    const { nodes, bus, log, analyze } = this.#needs;
    // An earlier request or its snapshot may have been lost, or this node has just started (CLUSTER-10).
    this.#needs.peers.askForStreams(this.#rooms.replicas.tornOwners());
    const gone = this.#live.filter((key) => !nodes.live.includes(key));
    this.#live = nodes.live;
    for (const key of gone) this.#needs.peers.gone(key);
    const head = (await this.#rooms.read.get(logHead))?.seq ?? 0;
    // Redis may still deliver the missing events; while it is unavailable, they are read from the store immediately.
    log.knows(head, bus.isUp ? undefined : 0);
    this.#looks += 1;
    if (!nodes.isLead || this.#looks % LOOKS_PER_TIDYING !== 0) return;
    await this.#takeOver.wakeQueues();
    await analyze();
  }
}
