// Fault tests of several nodes: real processes, PostgreSQL with durable commits, Redis, network links between them that
// break, and a balancer in front.
import { setTimeout as pause } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { ApiError } from '@parley/client';
import { PostgresConnection } from '@parley/server/store/engines/postgres.ts';
import type { Stage } from '../world/actor.ts';
import { Balancer } from '../world/balancer.ts';
import type { SeenThreads } from '../model/client-state.ts';
import { type PostgresServer, startPostgres, type TestDatabase } from '../servers/postgres.ts';
import { type RedisServer, startRedis } from '../servers/redis.ts';
import { Witness } from '../simulation/witness.ts';
import type { TestSocket } from '../world/test-socket.ts';
import { Link } from './link.ts';
import { NodeProcess } from './node-process.ts';

/** A client that gets no answer for this long tries another node. */
const LATE_MS = 4_000;
const AGAIN_MS = 20;
/** By default the maximum wait for an answer or a condition: longer than it takes to declare a node dead and take over its work. */
const PATIENCE_MS = 45_000;

/** A node with its links to PostgreSQL and Redis. */
interface Member {
  process: NodeProcess;
  /** The node's key in the table of nodes. */
  key: number;
  toPostgres: Link;
  toRedis: Link;
  clockShiftMs: number;
}

interface Options {
  env: Readonly<Record<string, string>>;
  /** Offsets of the nodes' clocks; one node is started for each offset. */
  clockShiftsMs: readonly number[];
  /** Maximum wait for an answer or a condition. */
  patienceMs?: number;
}

/** Several nodes as processes, with all their servers. */
export class ProcessCluster implements Stage, AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly balancer: Balancer;
  readonly watcher = new Witness();
  readonly threads: SeenThreads = new Map();
  readonly problems: string[] = [];
  readonly isShared = true;
  readonly members: Member[] = [];
  kills = 0;
  readonly #database: TestDatabase;
  readonly #sockets: TestSocket[] = [];
  readonly #processes: NodeProcess[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #patienceMs: number;

  private constructor(
    { postgres, database, redis, balancer }: Parts,
    { env, patienceMs = PATIENCE_MS }: Pick<Options, 'env' | 'patienceMs'>,
  ) {
    this.postgres = postgres;
    this.#database = database;
    this.redis = redis;
    this.balancer = balancer;
    this.#env = { SECRETS_KEY: `1:${randomBytes(32).toString('base64')}`, ...env };
    this.#patienceMs = patienceMs;
  }

  static async start({ clockShiftsMs, ...options }: Options): Promise<ProcessCluster> {
    const [postgres, redis, balancer] = await Promise.all([
      startPostgres({ isDurable: true }),
      startRedis(),
      Balancer.start(),
    ]);
    const database = await postgres.createDatabase();
    const cluster = new ProcessCluster({ postgres, database, redis, balancer }, options);
    try {
      for (const clockShiftMs of clockShiftsMs) await cluster.#join(clockShiftMs);
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get url(): string {
    return this.balancer.url;
  }

  keep(socket: TestSocket): void {
    // Events that did not reach a node do not reach its sockets: the next frame shows the gap, and the client fetches
    // the missing events.
    socket.chain.mayHaveGaps = true;
    this.#sockets.push(socket);
  }

  report(problem: string): void {
    this.problems.push(problem);
  }

  /** The problems reported since the last call. */
  takeProblems(): string[] {
    const found = [...this.problems.splice(0), ...this.watcher.problems.splice(0)];
    for (const { problems, chain } of this.#sockets) {
      found.push(...problems);
      chain.problems.length = 0;
    }
    return found;
  }

  at(index: number): Member {
    const member = this.members[index];
    if (!member) throw new Error('unknown node');
    return member;
  }

  /** Finds a node that is streaming a reply of a provider's agent. */
  async streaming(): Promise<number> {
    let found = -1;
    await this.until('a reply is written', async () => {
      const rows = await this.sql<{ node_key: number }>(
        `SELECT node_key FROM streams WHERE runner = 'server' AND text <> ''`,
      );
      found = this.members.findIndex(({ key }) => rows.some(({ node_key }) => node_key === key));
      return found >= 0;
    });
    return found;
  }

  /** Starts another node in place of one that has ended. */
  async replace(index: number): Promise<void> {
    const { clockShiftMs, process, toPostgres, toRedis } = this.at(index);
    await process.ended;
    await Promise.all([toPostgres, toRedis].map(async (link) => link[Symbol.asyncDispose]()));
    const member = await this.#open(clockShiftMs);
    this.members[index] = member;
    this.#serve();
  }

  /** The errors that nodes logged, with their counts. */
  errorCounts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of this.#processes.flatMap(({ errors }) => errors)) {
      const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { message?: string } }; // a line of the node's log
      const said = `${level} ${msg}: ${err?.message ?? line}`.slice(0, 300);
      counts.set(said, (counts.get(said) ?? 0) + 1);
    }
    return counts;
  }

  /** Runs a statement directly on the database. */
  async sql<Row>(sql: string): Promise<Row[]> {
    const connection = await PostgresConnection.open({ url: this.#database.url, name: 'a test' });
    try {
      return await connection.all<Row, []>({ sql });
    } finally {
      await connection.close();
    }
  }

  /** Repeats until a node answers. `onLate`: called when an attempt gets no answer. */
  async insist<Value>(act: () => Promise<Value>, onLate: () => void = () => {}): Promise<Value> {
    const until = Date.now() + this.#patienceMs;
    for (;;) {
      try {
        return await inTime(act(), onLate);
      } catch (error) {
        if (error instanceof ApiError && error.status !== 503) throw error;
        if (Date.now() > until) throw error;
        await pause(AGAIN_MS);
      }
    }
  }

  /** Resolves once the condition holds. */
  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const until = Date.now() + this.#patienceMs;
    while (!(await isSo())) {
      if (Date.now() > until) throw new Error(`timed out waiting until ${what}`);
      await pause(AGAIN_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#sockets.filter(({ isOpen }) => isOpen).map((socket) => socket.terminate()));
    await Promise.all(
      this.members.map(async ({ process, toPostgres, toRedis }) => {
        process.signal('SIGCONT');
        await process.end('SIGKILL');
        await Promise.all([toPostgres, toRedis].map(async (link) => link[Symbol.asyncDispose]()));
      }),
    );
    await this.balancer[Symbol.asyncDispose]();
    await this.redis[Symbol.asyncDispose]();
    await this.postgres.stop();
  }

  async #join(clockShiftMs: number): Promise<void> {
    this.members.push(await this.#open(clockShiftMs));
    this.#serve();
  }

  #serve(): void {
    this.balancer.serve(this.members.map(({ process }) => process.url));
  }

  async #open(clockShiftMs: number): Promise<Member> {
    const database = new URL(this.#database.url);
    const [toPostgres, toRedis] = await Promise.all([Link.to(Number(database.port)), Link.to(this.redis.port)]);
    database.port = String(toPostgres.port);
    const env = { ...this.#env, DATABASE_URL: database.href, REDIS_URL: `redis://127.0.0.1:${toRedis.port}` };
    const process = await NodeProcess.start({ env, clockShiftMs });
    this.#processes.push(process);
    // Nodes start one after another, so the newest key belongs to this node.
    const [newest] = await this.sql<{ key: number }>('SELECT max(key) AS key FROM nodes');
    return { process, key: newest?.key ?? 0, toPostgres, toRedis, clockShiftMs };
  }
}

interface Parts {
  postgres: PostgresServer;
  database: TestDatabase;
  redis: RedisServer;
  balancer: Balancer;
}

async function inTime<Value>(answer: Promise<Value>, onLate: () => void): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new Error('no node answers'));
  }, LATE_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
