import type { Service } from '@parley/server/service.ts';
import { lastSeq } from '@parley/server/store/log.ts';
import { theService } from '@parley/server/unit-queue.ts';

/** Does what the service does with a long log, without waiting until it is long. */
export async function indexLog({ log, units, clock }: Service): Promise<void> {
  const { through } = log.unindexed;
  await units.run('indexEvents', theService, { after: log.indexedThrough, through }, clock.now());
  log.indexed(through);
}

/** Forgets all but about the newest `kept` numbers of the log. */
export async function trimLog(service: Service, kept: number): Promise<void> {
  await indexLog(service);
  const { last } = service.read.get(lastSeq) ?? { last: null };
  if (last === null || last <= kept) return;
  // Before they are gone, so that nobody is told that there were none.
  service.log.keptFrom = last - kept + 1;
  await service.units.run('trimLog', theService, { through: last - kept }, service.clock.now());
}
