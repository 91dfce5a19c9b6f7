import type { Service } from '@parley/server/service/service.ts';
import { lastSeq } from '@parley/server/store/log.ts';

/** Does what the service does with a long log, without waiting until it is long. */
export const indexLog = ({ upkeep }: Service): Promise<void> => upkeep.index();

/** Forgets all but about the newest `kept` numbers of the log. */
export async function trimLog({ read, upkeep }: Service, kept: number): Promise<void> {
  await upkeep.index();
  const { last } = (await read.get(lastSeq)) ?? { last: null };
  if (last !== null && last > kept) await upkeep.trim(last - kept);
}
