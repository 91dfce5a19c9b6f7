import {
  registerNode,
  showConnection,
  disconnected,
  giveUpEnded,
  beatNode,
  giveUpNodes,
  liveNodes,
  signOffNode,
  leftBehind,
  forgetBatches,
  forgetIntents,
} from '../store/engines/postgres-nodes.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { PostgresConnection } from '../store/engines/postgres.ts';
import { SETTLED_MS } from './calls.ts';
import { Lease } from './lease.ts';

/** Whoever gives no sign of life for so long does not come back. */
const LONG_GONE_MS = 600_000;

export interface NodesOptions {
  connect: () => Promise<PostgresConnection>;
  /** For whoever looks at the table, and for `hasEnded`. */
  name: string;
  clock: Clock;
  /** A sign of life every so often. */
  beatMs?: number;
  /** Who gives none for so long is given up. */
  goneMs?: number;
  /**
   * A node is no more, and what it has left is for this one to take over. Told once in the cluster; again only by the
   * lead, where after `goneMs` something of it is left still.
   */
  onGone: (nodeKey: number) => void;
  /** The others have given this one up: nothing of it is committed any more, and it has to end. */
  onFenced: () => void;
  /** They may have, for all that is known here: told again and again until a sign of life comes through (CLUSTER-38). */
  onDoubt: () => void;
  onFault: (error: unknown) => void;
  /** Those of these nodes that do not listen at Redis, either; none while that cannot be told. */
  notListening?: (nodeKeys: readonly number[]) => Promise<readonly number[]>;
  /** Whether the process that registered under this name runs on this machine no more. */
  hasEnded?: (name: string) => boolean;
  /** A server that has been up for so long has its nodes back. */
  settledMs?: number;
  /** Milliseconds that never go back. */
  monotonic?: () => number;
}

/** The nodes that are there, by the database's clock, and this one among them (CLUSTER-33). */
export class Nodes {
  /** This node's own. */
  readonly key: number;
  readonly lease: Lease;
  readonly #options: Required<Omit<NodesOptions, 'monotonic'>>;
  #connection: PostgresConnection | null;
  #live: readonly number[];
  #offsetMs: number;
  #timer: Timer | null = null;
  #doubting: Timer | null = null;
  #beating: Promise<void> = Promise.resolve();
  #lookAt = 0;
  /** Its last sign of life, and until when it gives nobody up who may come back. */
  #beatenAt: number;
  #patientUntil: number;
  /** Nodes without any connection, and since when. */
  #lostSince: ReadonlyMap<number, number> = new Map();
  /** Left behind when it was looked for last. */
  #left = new Set<number>();
  #isEnded = false;

  private constructor(key: number, given: Given) {
    this.key = key;
    this.lease = given.lease;
    this.#offsetMs = given.offsetMs;
    this.#connection = given.connection;
    this.#options = given.options;
    this.#live = [key];
    this.#beatenAt = given.options.clock.now();
    this.#patientUntil = this.#beatenAt + given.options.goneMs;
    this.#doubtLater(given.options.goneMs);
  }

  /** Takes a place among the nodes, and keeps it with signs of life. */
  static async register(options: NodesOptions): Promise<Nodes> {
    const given = {
      beatMs: 2_000,
      goneMs: 10_000,
      settledMs: SETTLED_MS,
      notListening: async () => [],
      hasEnded: () => false,
      ...options,
    };
    const connection = await given.connect();
    const lease = new Lease(given);
    const sentAt = given.clock.now();
    const row = await connection.get(registerNode, given.name);
    if (!row) throw new Error('an INSERT … RETURNING gave no row');
    const offsetMs = offset(row.now, sentAt, given.clock.now());
    const nodes = new Nodes(row.key, { lease, offsetMs, connection, options: given });
    await nodes.beat();
    return nodes;
  }

  /** Those that were there at the last beat, by age. */
  get live(): readonly number[] {
    return this.#live;
  }

  /** The oldest of them does what one has to do for all. */
  get isLead(): boolean {
    return this.#live[0] === this.key;
  }

  /** Whoever is silent is given up by this node. */
  get givesUp(): boolean {
    return !this.#isEnded && this.lease.isSure && !this.#isPatient;
  }

  /** The database's clock less this machine's. */
  get clockOffsetMs(): number {
    return this.#offsetMs;
  }

  /** Gives a sign of life, and looks at the others: by itself every `beatMs`. */
  beat(): Promise<void> {
    this.#timer?.cancel();
    this.#beating = this.#beating.then(() => this.#beat());
    return this.#beating;
  }

  /** Leaves: the others know at once. What it has left has to be told to them by itself before. */
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
    const { clock, beatMs, goneMs, onGone, onFenced, onFault } = this.#options;
    try {
      const connection = await this.#open();
      const [sentAt, beganAt] = [clock.now(), this.lease.now()];
      const own = await connection.get(beatNode, this.key);
      if (!own) {
        this.#end();
        onFenced();
        return;
      }
      this.#offsetMs = offset(own.now, sentAt, clock.now());
      this.#noteBeat();
      this.lease.renew(beganAt);
      const gone = await connection.all(giveUpNodes, this.key, this.#isPatient ? LONG_GONE_MS : goneMs);
      gone.push(...(await this.#giveUpEnded(connection)));
      this.#live = (await connection.all(liveNodes)).map(({ key }) => key);
      for (const { key } of gone) onGone(key);
      if (this.isLead && clock.now() >= this.#lookAt) await this.#lookBehind(connection);
    } catch (error) {
      onFault(error);
    }
    // `stop` may have come meanwhile.
    if (!this.#isEnded) this.#timer = clock.setTimer(() => void this.beat(), beatMs);
  }

  /**
   * A process that was killed has lost all its connections at once, and need not be waited for as long as one that is
   * silent. Whoever is cut off for a moment loses both, too, and comes back within a beat: only of a process of this
   * machine it is known at once that it has ended (CLUSTER-50).
   */
  async #giveUpEnded(connection: PostgresConnection): Promise<{ key: number }[]> {
    const { clock, beatMs, settledMs, notListening, hasEnded } = this.#options;
    const rows = await connection.all(disconnected, this.key, settledMs);
    const lost = rows.length === 0 ? [] : await notListening(rows.map(({ key }) => key));
    const now = clock.now();
    this.#lostSince = new Map(lost.map((key) => [key, this.#lostSince.get(key) ?? now]));
    const isDue = (key: number, name: string): boolean =>
      hasEnded(name) || (!this.#isPatient && now - (this.#lostSince.get(key) ?? now) >= 2 * beatMs);
    const due = rows.filter(({ key, name }) => lost.includes(key) && isDue(key, name));
    return connection.gather(
      giveUpEnded,
      due.map(({ key }) => key),
    );
  }

  get #isPatient(): boolean {
    return this.#options.clock.now() < this.#patientUntil;
  }

  /** A loop that was held up hears of its beats a little late: another one has its time before anybody doubts. */
  #doubtLater(ms: number): void {
    const { clock, beatMs, goneMs, onDoubt } = this.#options;
    this.#doubting = clock.setTimer(() => {
      if (!this.lease.isOver) return this.#doubtLater(goneMs - this.lease.ageMs);
      this.#doubting = clock.setTimer(() => {
        if (this.lease.isOver) onDoubt();
        // It may have ended by that.
        if (!this.#isEnded) this.#doubtLater(0);
      }, beatMs);
      return undefined;
    }, ms);
  }

  /** Where the database was away, or this node, the others may have been cut off as long: they come back, too. */
  #noteBeat(): void {
    const { clock, goneMs } = this.#options;
    const now = clock.now();
    if (now - this.#beatenAt > goneMs / 2) this.#patientUntil = now + goneMs;
    this.#beatenAt = now;
  }

  /** Who was to take over what a node has left may have gone itself: then it is still there the next time. */
  async #lookBehind(connection: PostgresConnection): Promise<void> {
    const { clock, goneMs, onGone } = this.#options;
    this.#lookAt = clock.now() + goneMs;
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
      // Whatever cut this node off may have cut off others.
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
  offsetMs: number;
  connection: PostgresConnection;
  options: Required<Omit<NodesOptions, 'monotonic'>>;
}

/**
 * What the database's clock showed was between the question and its answer. Where this machine's may have shown the
 * same then, it is right: a measurement is no finer, and clocks that agree must not be moved by its noise.
 */
function offset(databaseNow: number, sentAt: number, answeredAt: number): number {
  const mayBeSame = databaseNow >= sentAt - 1 && databaseNow <= answeredAt + 1; // Whole milliseconds.
  return mayBeSame ? 0 : Math.round(databaseNow - (sentAt + answeredAt) / 2);
}
