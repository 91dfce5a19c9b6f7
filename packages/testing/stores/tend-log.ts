import type { Service } from '@parley/server/service/interface.ts';
import { lastSeq } from '@parley/server/store/log.ts';

/** Runs the log's indexing, which the service only does when the log is long. */
export const indexLog = ({ upkeep }: Service): Promise<void> => upkeep.index();

/** Trims the log to about its newest `kept` numbers. */
export async function trimLog({ read, upkeep }: Service, kept: number): Promise<void> {
  await upkeep.index();
  const { last } = (await read.get(lastSeq)) ?? { last: null };
  if (last !== null && last > kept) await upkeep.trim(last - kept);
}
