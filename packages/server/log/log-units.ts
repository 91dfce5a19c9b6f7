import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import type { Sql } from '../store/sql.ts';
import {
  deleteEvents,
  getMeta,
  indexEvents as fill,
  noteScopeTrimmed,
  noteTrimmed,
  setMeta,
  trimEvents,
  trimIndex,
  trimScopeIndex,
} from '../store/log.ts';

/** Adds a sorted block of events to the index by scope (LOG-9). */
export const indexEvents = internalUnit(
  { locks: () => [named('log')] },
  async ({ tx }: UnitCall, input: { after: number; through: number }): Promise<void> => {
    await count(tx, await tx.run(fill, input.after, input.through));
    await tx.run(setMeta, 'events_indexed_through', String(input.through));
  },
);

/** Deletes events up to a number, and stores for each scope that events were deleted (LOG-8). */
export const trimLog = internalUnit(
  { locks: () => [named('log')] },
  async ({ tx }: UnitCall, input: { through: number }): Promise<void> => {
    await tx.run(noteTrimmed, input.through);
    await tx.run(trimIndex, input.through);
    await count(tx, -(await tx.run(trimEvents, input.through)));
    await keepFrom(tx, input.through + 1);
  },
);

export interface TrimmedEvent {
  seq: number;
  scope: number;
}

/**
 * Deletes the given events, and stores for each scope that events were deleted (LOG-8). The events must be in the order
 * of their numbers, and include all events of each scope between its first and its last one.
 */
export const trimScopes = internalUnit(
  { locks: () => [named('log')] },
  async ({ tx }: UnitCall, events: readonly TrimmedEvent[]): Promise<void> => {
    const parts = new Map<number, { first: number; last: number }>();
    for (const { scope, seq } of events) parts.set(scope, { first: parts.get(scope)?.first ?? seq, last: seq });
    for (const [scope, { first, last }] of parts) {
      await tx.run(noteScopeTrimmed, scope, last);
      await tx.run(trimScopeIndex, scope, first, last);
    }
    // Deleted by number, because on SQLite the table of events has no index by scope.
    const deleted = await tx.list(
      deleteEvents,
      events.map(({ seq }) => seq),
    );
    await count(tx, -deleted.length);
    await keepFrom(tx, (events.at(-1)?.seq ?? 0) + 1);
  },
);

/** Stores the number from which on no event has been deleted in any scope. It only ever increases. */
async function keepFrom(tx: Sql, first: number): Promise<void> {
  const known = Number((await tx.get(getMeta, 'events_kept_from'))?.value ?? 0);
  if (first > known) await tx.run(setMeta, 'events_kept_from', String(first));
}

/** Updates the number of indexed events, which is stored because counting would read them all. */
async function count(tx: Sql, change: number): Promise<void> {
  const known = Number((await tx.get(getMeta, 'events_indexed'))?.value ?? 0);
  if (change !== 0) await tx.run(setMeta, 'events_indexed', String(Math.max(0, known + change)));
}

export const logUnits = { indexEvents, trimLog, trimScopes } as const;
