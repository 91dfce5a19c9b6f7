import { randomUUID } from 'node:crypto';
import { Bus } from '../../cluster/bus.ts';
import { NodeCalls } from '../../cluster/node-calls.ts';
import { Forwarding } from '../../cluster/forwarding.ts';
import { Peers } from '../../cluster/peers.ts';
import { Membership } from '../../cluster/membership.ts';
import { Nodes } from '../../cluster/nodes.ts';
import { hasEnded, processName } from '../../cluster/process-name.ts';
import { RedisBuckets } from '../../cluster/redis-buckets.ts';
import { RedisConnection } from '../../cluster/redis-connection.ts';
import { pause, systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/config-error.ts';
import { ClusterLog } from '../../log/engines/cluster-log.ts';
import { ClusterUpkeep } from '../../log/engines/cluster-upkeep.ts';
import { PostgresStorage } from '../../files/engines/postgres-files.ts';
import { unitHandlers } from '../unit-handlers.ts';
import { PostgresSearch } from '../../search/engines/postgres-search.ts';
import { noAccountTexts } from '../../rendering/account-texts.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { logHead } from '../../store/engines/postgres-log.ts';
import { PostgresPool } from '../../store/engines/postgres-pool.ts';
import { ReopeningConnection } from '../../store/engines/postgres-reopening.ts';
import { analyzeGrown } from '../../store/engines/postgres-statistics.ts';
import { PostgresUnits } from '../../commits/engines/postgres-units.ts';
import { addMeta, getMeta } from '../../store/log.ts';
import { migratePostgres } from '../../store/migrate.ts';
import type { Engine, EngineOptions, SharedEngine } from './engine.ts';

/** How long the readiness check may take: balancers do not wait much longer. */
const READY_MS = 2_000;
/** How long the server may leave a statement unanswered before the connection counts as lost. */
const SILENCE_MS = 10_000;
/** The same for signs of life: shorter, so that this node reconnects before the other nodes declare it dead. */
const BEAT_SILENCE_MS = 3_000;

/** The engine of one node of several: the data is in PostgreSQL, and Redis carries messages between the nodes. */
export async function openCluster(options: EngineOptions, urls: { database: string; redis: string }): Promise<Engine> {
  const { config, settings, onFault } = options;
  const url = urls.database;
  // Real time even in tests that control the service's clock: connections time out in real time.
  const clock = systemClock;
  const installation = await prepare(url);
  await using opened = new AsyncDisposableStack();
  const pool = await PostgresPool.open({ url, name: 'parley reads' });
  opened.defer(() => pool.close());
  const read = options.wrapRead(pool);
  const connection = new RedisConnection({ url: urls.redis, clock });
  opened.defer(() => connection.close());
  let member: Membership | null = null;
  // After `nodes.stop`, which removes this node from the live ones: another takes over its work immediately.
  opened.defer(async () => member?.leave());
  const nodes = await Nodes.register({
    connect: () => PostgresConnection.open({ url, name: 'parley node', silenceMs: BEAT_SILENCE_MS }),
    name: processName(),
    clock,
    onGone: (key) => member?.takeOverFrom(key),
    onFenced: () => runner.onFailure(new Error('the other nodes have given this one up')),
    onDoubt: () => void endIfGivenUp(),
    hasEnded,
    notListening: async (nodeKeys) => (await member?.notListening(nodeKeys)) ?? [],
    onFault: (error) => onFault(error, 'failed to give a sign of life'),
  });
  opened.defer(() => nodes.stop());
  const endIfGivenUp = async (): Promise<void> => {
    if ((await member?.isGivenUp()) && nodes.lease.isOver)
      runner.onFailure(new Error('this node cannot reach PostgreSQL, and the others give it up'));
  };
  const prefix = `parley:${installation}`;
  const bus = new Bus({ connection, prefix, nodeKey: nodes.key });
  opened.defer(() => bus.close());
  const calls = new NodeCalls({
    connection,
    prefix,
    nodeKey: nodes.key,
    clock,
    onFault: (error) => onFault(error, 'a call of another node failed'),
  });
  const others = new Peers({
    calls,
    connection,
    clock: options.clock,
    nodeKey: nodes.key,
    others: () => nodes.live.filter((key) => key !== nodes.key),
  });
  const runner = new PostgresUnits({
    connect: () => PostgresConnection.open({ url, name: 'parley units', silenceMs: SILENCE_MS }),
    nodeKey: () => nodes.key,
    settings,
    handlers: unitHandlers,
    grants: { take: () => log.grants.take(), giveBack: () => log.grants.giveBack() },
    onFault: (error) => onFault(error, 'the store has trouble'),
  });
  opened.defer(() => runner.close());
  const log: ClusterLog = new ClusterLog((await read.get(logHead))?.seq ?? 0, {
    ...options,
    node: nodes.key,
    read,
    clock,
    tell: (text) => bus.publish(text),
    nudge: () => runner.nudge(),
    lost: () => member?.askForStreams(),
    onFault: (error) => onFault(error, 'the log has trouble'),
  });
  opened.defer(() => log.close());
  bus.onMessage = (text) => log.hear(text);
  const statistics = new ReopeningConnection({ url, name: 'parley statistics' });
  opened.defer(() => statistics.close());
  const search = await PostgresSearch.open({
    url,
    withFiles: settings.fileSearch,
    onFault: (error) => onFault(error, 'the search index failed'),
  });
  opened.defer(() => search.close());
  const files = await PostgresStorage.open({ url });
  opened.defer(() => files.close());
  const shared: SharedEngine = {
    get isLead() {
      return nodes.isLead;
    },
    get reads() {
      return pool.asked;
    },
    heard: log.counts,
    isSure: () => nodes.lease.sure(),
    get clockCorrectionMs() {
      return nodes.clockCorrectionMs;
    },
    rateBuckets: new RedisBuckets({ rates: config.rates, connection, prefix, clock }),
    others,
    forwarding: (rooms) => new Forwarding(rooms, calls, others).forward,
    async join(rooms, listener) {
      log.listen(listener);
      member = new Membership(rooms, {
        nodes,
        connection,
        bus,
        calls,
        peers: others,
        log,
        settings,
        clock,
        // Refresh the planner's statistics as tables grow.
        analyze: async () => void (await analyzeGrown(await statistics.get())),
        onFault,
      });
      await member.start();
    },
  };
  const closers = opened.move();
  return {
    read,
    readNow: read,
    // PostgreSQL shows a commit when it is on the disk.
    flushed() {},
    accounts: noAccountTexts,
    log,
    runner,
    upkeep: (units) => new ClusterUpkeep({ read, settings, units, clock: options.clock, isLead: () => nodes.isLead }),
    openSearch: async () => search,
    storage: files.storage,
    shared,
    isReady: () =>
      Promise.race([
        // A sign of life is a write: it shows that the server takes them.
        pool.get(logHead).then(
          () => runner.canWrite && nodes.lease.isSure,
          () => false,
        ),
        pause(clock, READY_MS, new AbortController().signal).then(() => false),
      ]),
    close: () => closers.disposeAsync(),
  };
}

/** Migrates the database. Returns the installation's name, which was created with it. */
async function prepare(url: string): Promise<string> {
  const open = (): Promise<PostgresConnection> =>
    PostgresConnection.open({ url, name: 'parley start' }).catch((error: Error) => {
      throw new ConfigError(`DATABASE_URL: ${error.message}`);
    });
  const connection = await open();
  try {
    // The second connection shows whether each has a session of its own (STORE-19), before a statement is prepared.
    await (await open()).close();
    await migratePostgres(connection);
    await connection.run(addMeta, 'installation', randomUUID());
    return (await connection.get(getMeta, 'installation'))?.value ?? '';
  } finally {
    await connection.close();
  }
}
