import type { UnitCall } from '../call.ts';
import type { Sql } from '../store/sql.ts';
import { getMeta, indexEvents as fill, noteTrimmed, setMeta, trimEvents, trimIndex } from '../store/log.ts';

/** Adds a sorted block of events to the scope index (LOG-9). */
export async function indexEvents({ tx }: UnitCall, input: { after: number; through: number }): Promise<void> {
  await count(tx, await tx.run(fill, input.after, input.through));
  await tx.run(setMeta, 'events_indexed_through', String(input.through));
}

/** Forgets events up to a number, but not that there were some (LOG-8). */
export async function trimLog({ tx }: UnitCall, input: { through: number }): Promise<void> {
  await tx.run(noteTrimmed, input.through);
  await tx.run(trimIndex, input.through);
  await count(tx, -(await tx.run(trimEvents, input.through)));
  await tx.run(setMeta, 'events_kept_from', String(input.through + 1));
}

/** How many of the kept events are in the index: counting them anew would read them all. */
async function count(tx: Sql, change: number): Promise<void> {
  const known = Number((await tx.get(getMeta, 'events_indexed'))?.value ?? 0);
  if (change !== 0) await tx.run(setMeta, 'events_indexed', String(Math.max(0, known + change)));
}
