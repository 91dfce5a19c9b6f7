import { msSince } from '@parley/protocol/dates';
import {
  registerNode,
  showConnection,
  disconnected,
  giveUpEnded,
  beatNode,
  giveUpLost,
  giveUpSilent,
  signsOfLife,
  liveNodes,
  signOffNode,
  leftBehind,
  forgetBatches,
  forgetIntents,
} from '../store/engines/postgres-nodes.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { PostgresConnection } from '../store/engines/postgres.ts';
import { SETTLED_MS } from './node-calls.ts';
import { Lease } from './lease.ts';

/** How long a node without a connection must be silent before even a patient node gives it up: it will not come back. */
const LONG_GONE_MS = 600_000;

export interface NodesOptions {
  connect: () => Promise<PostgresConnection>;
  /** Identifies the node to people who read the table, and to `hasEnded`. */
  name: string;
  clock: Clock;
  /** Time between two signs of life. */
  beatMs?: number;
  /** How long after its last sign of life a node is given up. */
  goneMs?: number;
  /**
   * Called on one node of the cluster, which must take over the work of a dead node; called again, on the lead, if some
   * of that work remains after `goneMs`.
   */
  onGone: (nodeKey: number) => void;
  /** Called when the others have given this node up: it can no longer commit, and must end. */
  onFenced: () => void;
  /** Called when the others may have given this node up, repeatedly until a sign of life succeeds (CLUSTER-38). */
  onDoubt: () => void;
  onFault: (error: unknown) => void;
  /** Returns those of the given nodes that do not listen to Redis either; an empty list if Redis cannot be asked. */
  notListening?: (nodeKeys: readonly number[]) => Promise<readonly number[]>;
  /** Whether the process registered under this name ran on this machine and has ended. */
  hasEnded?: (name: string) => boolean;
  /** How long after a server's start all nodes have reconnected to it. */
  settledMs?: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic?: () => number;
}

/** The live nodes of the cluster, by the database's clock, and this node's place among them (CLUSTER-33). */
export class Nodes {
  /** The key of this node. */
  readonly key: number;
  readonly lease: Lease;
  readonly #options: Required<Omit<NodesOptions, 'monotonic'>>;
  #connection: PostgresConnection | null;
  #live: readonly number[];
  /** The date at the zero of the monotonic clock: by this machine at the start, and by the database. */
  readonly #ownZero: number;
  #dateAtZero: number;
  #timer: Timer | null = null;
  #doubting: Timer | null = null;
  #beating: Promise<void> = Promise.resolve();
  #lookAt = 0;
  /**
   * When this node last gave a sign of life, and until when it gives up no silent node because its own sign of life was
   * late.
   */
  #beatenAt: number;
  #patientUntil: number;
  /**
   * The last signs of life of the other nodes, and when this node first read each: a node is silent for as long as its
   * sign stays the same, whatever is done to the clock of the database (TIME-4).
   */
  #signs: ReadonlyMap<number, { readonly seen: string; readonly readAt: number }> = new Map();
  /** Nodes without any connection, and since when. */
  #lostSince: ReadonlyMap<number, number> = new Map();
  /** Dead nodes whose work was not taken over at the last check. */
  #left = new Set<number>();
  #isEnded = false;

  private constructor(key: number, given: Given) {
    this.key = key;
    this.lease = given.lease;
    this.#ownZero = given.ownZero;
    this.#dateAtZero = given.dateAtZero;
    this.#connection = given.connection;
    this.#options = given.options;
    this.#live = [key];
    this.#beatenAt = given.lease.monotonic();
    this.#patientUntil = this.#beatenAt + given.options.goneMs;
    this.#doubtLater(given.options.goneMs);
  }

  /** Registers this process as a node and keeps it alive with signs of life. */
  static async register(options: NodesOptions): Promise<Nodes> {
    const given = {
      beatMs: 1_000,
      goneMs: 8_000,
      settledMs: SETTLED_MS,
      notListening: async () => [],
      hasEnded: () => false,
      ...options,
    };
    const connection = await given.connect();
    const lease = new Lease(given);
    const sentAt = given.clock.monotonic();
    const row = await connection.get(registerNode, given.name);
    if (!row) throw new Error('an INSERT … RETURNING gave no row');
    const ownZero = msSince(given.clock.monotonic(), given.clock.now());
    const dateAtZero = dateOffset(ownZero, row.now, { sentAt, answeredAt: given.clock.monotonic() });
    const nodes = new Nodes(row.key, { lease, ownZero, dateAtZero, connection, options: given });
    await nodes.beat();
    return nodes;
  }

  /** The nodes that existed at the last beat, oldest first. */
  get live(): readonly number[] {
    return this.#live;
  }

  /** The oldest node does the work that only one node may do. */
  get isLead(): boolean {
    return this.#live[0] === this.key;
  }

  /** Whether this node currently gives up silent nodes. */
  get givesUp(): boolean {
    return !this.#isEnded && this.lease.isSure && !this.#isPatient;
  }

  /** How far the database's clock is ahead of this machine's as that was at the start; later steps of it do not count. */
  get clockCorrectionMs(): number {
    return msSince(this.#ownZero, this.#dateAtZero);
  }

  /** Gives a sign of life and checks the other nodes; runs every `beatMs`. */
  beat(): Promise<void> {
    this.#timer?.cancel();
    this.#beating = this.#beating.then(() => this.#beat());
    return this.#beating;
  }

  /** Removes this node, which the others notice immediately. They must be asked separately to take over its work. */
  async stop(): Promise<void> {
    this.#end();
    await this.#beating;
    const connection = this.#connection;
    this.#connection = null;
    if (!connection || connection.lost) return;
    await connection.run(signOffNode, this.key).catch(this.#options.onFault);
    await connection.close();
  }

  async #beat(): Promise<void> {
    if (this.#isEnded) return;
    const { clock, beatMs, onGone, onFenced, onFault } = this.#options;
    try {
      const connection = await this.#open();
      const [sentAt, beganAt] = [clock.monotonic(), this.lease.monotonic()];
      const own = await connection.get(beatNode, this.key);
      if (!own) {
        this.#end();
        onFenced();
        return;
      }
      this.#dateAtZero = dateOffset(this.#dateAtZero, own.now, { sentAt, answeredAt: clock.monotonic() });
      this.#noteBeat();
      this.lease.renew(beganAt);
      const gone = await this.#giveUpSilent(connection);
      gone.push(...(await connection.all(giveUpLost, this.key, LONG_GONE_MS)));
      gone.push(...(await this.#giveUpEnded(connection)));
      this.#live = (await connection.all(liveNodes)).map(({ key }) => key);
      for (const { key } of gone) onGone(key);
      if (this.isLead && this.lease.monotonic() >= this.#lookAt) await this.#lookBehind(connection);
    } catch (error) {
      onFault(error);
    }
    // `stop` may have been called during the beat.
    if (!this.#isEnded) this.#timer = clock.setTimer(() => void this.beat(), beatMs);
  }

  /** Gives up the nodes whose sign of life has not changed for too long, unless this node is patient. */
  async #giveUpSilent(connection: PostgresConnection): Promise<{ key: number }[]> {
    const now = this.lease.monotonic();
    const rows = await connection.all(signsOfLife, this.key);
    this.#signs = new Map(
      rows.map(({ key, seen }) => {
        const known = this.#signs.get(key);
        return [key, known?.seen === seen ? known : { seen, readAt: now }];
      }),
    );
    if (this.#isPatient) return [];
    const gone: { key: number }[] = [];
    for (const [key, { seen, readAt }] of this.#signs)
      if (now - readAt >= this.#options.goneMs) gone.push(...(await connection.all(giveUpSilent, key, seen)));
    return gone;
  }

  /**
   * Gives up nodes without any connection sooner than silent ones, because a killed process loses all its connections
   * at the same time. A node that is briefly disconnected also loses them but returns within a beat, so a node is given
   * up immediately only if it was a process of this machine that has ended (CLUSTER-50).
   */
  async #giveUpEnded(connection: PostgresConnection): Promise<{ key: number }[]> {
    const { beatMs, settledMs, notListening, hasEnded } = this.#options;
    const rows = await connection.all(disconnected, this.key, settledMs);
    const lost = rows.length === 0 ? [] : await notListening(rows.map(({ key }) => key));
    const now = this.lease.monotonic();
    this.#lostSince = new Map(lost.map((key) => [key, this.#lostSince.get(key) ?? now]));
    const isDue = (key: number, name: string): boolean =>
      hasEnded(name) || (!this.#isPatient && now - (this.#lostSince.get(key) ?? now) >= 4 * beatMs);
    const due = rows.filter(({ key, name }) => lost.includes(key) && isDue(key, name));
    return connection.gather(
      giveUpEnded,
      due.map(({ key }) => key),
    );
  }

  get #isPatient(): boolean {
    return this.lease.monotonic() < this.#patientUntil;
  }

  /**
   * Calls `onDoubt` one beat after the lease has run out, not immediately: if the event loop was blocked, a beat may
   * have succeeded without this node knowing it yet.
   */
  #doubtLater(ms: number): void {
    const { clock, beatMs, goneMs, onDoubt } = this.#options;
    this.#doubting = clock.setTimer(() => {
      if (!this.lease.isOver) return this.#doubtLater(goneMs - this.lease.ageMs);
      this.#doubting = clock.setTimer(() => {
        if (this.lease.isOver) onDoubt();
        // `onDoubt` may have stopped this node.
        if (!this.#isEnded) this.#doubtLater(0);
      }, beatMs);
      return undefined;
    }, ms);
  }

  /**
   * After an outage of the database or of this node, gives the others time to return: they may have been cut off too.
   */
  #noteBeat(): void {
    const { goneMs } = this.#options;
    const now = this.lease.monotonic();
    if (now - this.#beatenAt > goneMs / 2) this.#patientUntil = now + goneMs;
    this.#beatenAt = now;
  }

  /**
   * Reports work again if it is still left at the next check, because the node that was to take it over may have died.
   */
  async #lookBehind(connection: PostgresConnection): Promise<void> {
    const { goneMs, onGone } = this.#options;
    this.#lookAt = this.lease.monotonic() + goneMs;
    const left = new Set((await connection.all(leftBehind)).map(({ node_key }) => node_key));
    const again = [...left].filter((key) => this.#left.has(key));
    this.#left = left;
    for (const key of again) onGone(key);
    await connection.run(forgetBatches);
    await connection.run(forgetIntents);
  }

  async #open(): Promise<PostgresConnection> {
    if (!this.#connection || this.#connection.lost) {
      this.#connection = await this.#options.connect();
      await this.#connection.run(showConnection, this.key);
      // The others may have lost their connections for the same reason as this node.
      this.#lostSince = new Map();
    }
    return this.#connection;
  }

  #end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
    this.#timer = null;
    this.#doubting?.cancel();
    this.#doubting = null;
  }
}

interface Given {
  lease: Lease;
  ownZero: number;
  dateAtZero: number;
  connection: PostgresConnection;
  options: Required<Omit<NodesOptions, 'monotonic'>>;
}

/**
 * The date at the zero of the monotonic clock, corrected by an answer of the database, which read its clock between the
 * request and the answer. If `known` fits, it stays: the measurement is not precise enough to correct what agrees.
 */
function dateOffset(
  known: number,
  databaseNow: number,
  { sentAt, answeredAt }: { sentAt: number; answeredAt: number },
): number {
  // Times are rounded to milliseconds.
  const fits = databaseNow >= known + sentAt - 1 && databaseNow <= known + answeredAt + 1;
  return fits ? known : Math.round(databaseNow - (sentAt + answeredAt) / 2);
}
