// Several nodes of one installation, with servers started by the benchmark: PostgreSQL with durable commits, and Redis.
import { randomBytes } from 'node:crypto';
import { howToHave, isHere } from '@parley/testing/programs/programs.ts';
import type { TestDatabase } from '@parley/testing/servers/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '@parley/testing/servers/postgres-server.ts';
import { type RedisServer, startRedis } from '@parley/testing/servers/redis-server.ts';
import { cpuSecondsOf, cpuSecondsOfOwn } from '../processes/process-status.ts';
import type { RunningService, StartOptions } from './running-service.ts';

export interface Servers {
  postgres: PostgresServer;
  redis: RedisServer;
}

/** What this machine lacks to run several nodes, and how to install it. */
export function lacksServers(): string | undefined {
  if (!isHere('postgres')) return `PostgreSQL is not installed: ${howToHave('postgres')}`;
  return isHere('redis') ? undefined : `Redis is not installed: ${howToHave('redis')}`;
}

export async function startServers(endings: (() => unknown)[]): Promise<Servers> {
  // After a checkpoint PostgreSQL logs whole pages, which would distort one of the two measured intervals.
  const settings = { checkpoint_timeout: '1h', max_wal_size: '8GB', autovacuum_naptime: '1min' };
  const postgres = await startPostgres({ isDurable: true, settings });
  endings.push(() => postgres.stop());
  const redis = await startRedis();
  endings.push(() => redis[Symbol.asyncDispose]());
  return { postgres, redis };
}

type StartNode = (options: StartOptions) => Promise<RunningService>;

/** CPU seconds so far of the nodes and of the servers. */
interface ClusterCpu {
  nodes: number;
  postgres: number;
  redis: number;
}

/** An installation of several nodes, each with its own address. */
export class RunningCluster {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly nodes: RunningService[] = [];
  readonly #database: TestDatabase;
  readonly #startNode: StartNode;
  readonly #secretsKey = randomBytes(32).toString('base64');

  private constructor(servers: Servers, database: TestDatabase, startNode: StartNode) {
    this.databaseUrl = database.url;
    this.redisUrl = servers.redis.url;
    this.#database = database;
    this.#startNode = startNode;
  }

  static async create(servers: Servers, startNode: StartNode): Promise<RunningCluster> {
    return new RunningCluster(servers, await servers.postgres.createDatabase({ isEmpty: true }), startNode);
  }

  /** Starts one more node. */
  async node(options: Pick<StartOptions, 'collectable'> = {}): Promise<RunningService> {
    const { databaseUrl, redisUrl } = this;
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, SECRETS_KEY: this.#secretsKey };
    const node = await this.#startNode({ ...options, env });
    this.nodes.push(node);
    return node;
  }

  get cpu(): ClusterCpu {
    return {
      nodes: this.nodes.reduce((sum, node) => sum + (cpuSecondsOf(node.child.pid) ?? 0), 0),
      postgres: cpuSecondsOfOwn('postgres'),
      redis: cpuSecondsOfOwn('redis-server'),
    };
  }

  /** Call after its nodes have ended. */
  close(): Promise<void> {
    return this.#database.drop();
  }
}

/** How many cores the nodes, PostgreSQL and Redis each kept busy. */
export function busyText(from: ClusterCpu, to: ClusterCpu, seconds: number): string {
  const share = (name: keyof ClusterCpu) => ((to[name] - from[name]) / seconds).toFixed(2);
  return `busy cores: nodes ${share('nodes')}, PostgreSQL ${share('postgres')}, Redis ${share('redis')}`;
}
