import type { UnitCall } from '../call.ts';
import { indexEvents as fill, noteTrimmed, setMeta, trimEvents, trimIndex } from '../store/log.ts';

/** Adds a sorted block of events to the scope index (LOG-9). */
export async function indexEvents({ tx }: UnitCall, input: { after: number; through: number }): Promise<void> {
  await tx.run(fill, input.after, input.through);
  await tx.run(setMeta, 'events_indexed_through', String(input.through));
}

/** Forgets events up to a number, but not that there were some (LOG-8). */
export async function trimLog({ tx }: UnitCall, input: { through: number }): Promise<void> {
  await tx.run(noteTrimmed, input.through);
  await tx.run(trimIndex, input.through);
  await tx.run(trimEvents, input.through);
  await tx.run(setMeta, 'events_kept_from', String(input.through + 1));
}
