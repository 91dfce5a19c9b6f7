import { PendingSnapshots } from '../replies/pending-snapshots.ts';
import { TypingEnds } from '../agents/typing-ends.ts';
import { singleNode } from '../calls/other-nodes.ts';
import { theService, UnitQueue } from '../calls/unit-queue.ts';
import { unitCallers } from '../commits/unit-callers.ts';
import { systemClock } from '../core/clock.ts';
import type { Closers } from '../core/opening.ts';
import { holdsFileUrls } from '../files/signatures.ts';
import { Hub } from '../log/hub.ts';
import type { Awaitable } from '../store/sql.ts';
import { internalUnits } from '../units/index.ts';
import { openEngine } from './engines/open-engine.ts';
import type { ServiceOptions, Standing } from './interface.ts';
import type { Base } from './open-base.ts';
import { startStore as startStoreThread } from './start-store.ts';

/** How long a caller waits while the store is unavailable or its batch is delayed. */
const PATIENCE_MS = 15_000;

/** Where the data is: the engine, the log with what hears each of its events, and the queue of units. */
export async function openStore(options: ServiceOptions, base: Base, opened: Closers) {
  const { config, settings, clock, logger, held, sign } = base;
  const { startStore = startStoreThread, wrapRead = (read) => read } = options;
  const hub = new Hub({ in: holdsFileUrls, sign });
  const snapshots = new PendingSnapshots();
  const typingEnds = new TypingEnds(clock);
  const engine = await openEngine({
    config,
    settings,
    clock,
    startStore,
    wrapRead,
    publish(event) {
      snapshots.published(event);
      typingEnds.published(event);
      return hub.publish(event);
    },
    skip(scope, seq) {
      snapshots.skipped(scope);
      hub.skip(scope, seq);
    },
    onFault: (error, what) => logger.error({ err: error }, what),
  });
  opened.defer(() => engine.close());
  const { log, read, readNow, accounts, storage, shared } = engine;
  hub.attach(log);
  if (shared) clock.follow(() => shared.clockCorrectionMs);
  const others = shared?.others ?? singleNode;
  opened.defer(() => others.close());
  const queue = new UnitQueue(engine.runner, {
    log,
    ...(shared && { patience: { clock: systemClock, ms: PATIENCE_MS } }),
    onFault: (fault) => logger.error({ fault }, 'a unit of work failed'),
    onFailure(error) {
      logger.fatal({ err: error }, shared ? 'this node stops' : 'the store failed');
      options.onStoreFailure(error);
    },
    onHeld: (callback) => held.record('store', callback),
  });
  opened.defer(() => queue.close());
  const run = (name: string, input: unknown, caller = theService) => queue.run(name, caller, input, clock.now());
  /** The service's own units. */
  const units = unitCallers(internalUnits, run);
  const standing: Standing = { isSure: () => shared?.isSure() ?? true, isLead: () => shared?.isLead ?? true };
  return {
    hub,
    snapshots,
    typingEnds,
    log,
    read,
    readNow,
    accounts,
    storage,
    shared,
    others,
    queue,
    run,
    units,
    standing,
    // A test may replace those of `standing`.
    isSure: () => standing.isSure(),
    isLead: () => standing.isLead(),
    flushed: (): Awaitable<void> => engine.flushed(),
    isReady: () => engine.isReady(),
    upkeep: engine.upkeep(units),
    openSearch: () => engine.openSearch(units),
  };
}
