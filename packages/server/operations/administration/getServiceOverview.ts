import { accountRoles } from '@parley/protocol';
import root from '../../../../package.json' with { type: 'json' };
import { dayOf } from '../../rules/usage-days.ts';
import { countDisabled, countPending, countPeople, storedByAll, usedSince } from '../../store/service-overview.ts';
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** How many UTC days are added up, today included. */
const DAYS = 30;

export default read('getServiceOverview', async ({ tx, now }, _input, { peers }: Needs<'peers'>) => {
  const people = await tx.all(countPeople);
  const stored = await tx.get(storedByAll);
  return {
    accounts: accountRoles.flatMap((role) => {
      const row = people.find((one) => one.role === role);
      return row ? [{ role, count: row.count }] : [];
    }),
    disabled: (await tx.get(countDisabled))?.count ?? 0,
    pending: (await tx.get(countPending))?.count ?? 0,
    stored_bytes: stored?.bytes ?? 0,
    usage: await tx.all(usedSince, dayOf(now) - DAYS + 1),
    nodes: peers.countNodes(),
    version: root.version,
  };
});
