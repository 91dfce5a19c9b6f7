import type { AdminInput } from './admin-requests.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit, nothing } from '../commits/unit-locks.ts';
import { invalid, notFound } from '../core/errors.ts';
import { endSessions } from '../people/end-sessions.ts';
import {
  backendNamed,
  type BackendRow,
  insertBackend,
  listedBackends,
  sessionsOfBackend,
  setBackendKey as storeKey,
} from '../store/backends.ts';
import type { Sql } from '../store/sql.ts';
import { requireHuman } from './require-human.ts';

/** Maximum sessions that one unit ends. */
const BLOCK = 500;

/** Gives a backend a key, instead of an earlier one; the first key makes the backend (ADMIN-18). */
const setBackendKey = internalUnit(
  { locks: everything },
  async ({ tx, now }: UnitCall, { name, owner, keyHash }: AdminInput<'setBackendKey'>): Promise<void> => {
    const known = await tx.get(backendNamed, name);
    const person = owner === null ? null : await requireHuman(tx, owner);
    const hash = Buffer.from(keyHash, 'hex');
    if (known) await tx.run(storeKey, known.key, person?.key ?? known.owner_key, hash);
    else if (person) await tx.run(insertBackend, name, person.key, hash, now);
    else throw invalid('--owner', 'is needed for a new backend');
  },
);

const clearBackendKey = internalUnit(
  { locks: everything },
  async ({ tx }: UnitCall, { name }: AdminInput<'clearBackendKey'>): Promise<void> => {
    const backend = await requireBackend(tx, name);
    await tx.run(storeKey, backend.key, backend.owner_key, null);
  },
);

/** Ends some sessions of a backend's users; returns their number, 0 once none is left. */
const endBackendSessions = internalUnit(
  { locks: everything },
  async (call: UnitCall, { name }: AdminInput<'endBackendSessions'>): Promise<number> => {
    const { key } = await requireBackend(call.tx, name);
    const keys = (await call.tx.all(sessionsOfBackend, key, BLOCK)).map((session) => session.key);
    await endSessions(call, keys);
    return keys.length;
  },
);

const listBackends = internalUnit({ locks: nothing }, async ({ tx }: UnitCall) => tx.all(listedBackends));

async function requireBackend(tx: Sql, name: string): Promise<BackendRow> {
  const backend = await tx.get(backendNamed, name);
  if (!backend) throw notFound(`backend ${name}`);
  return backend;
}

export const backendUnits = { clearBackendKey, endBackendSessions, listBackends, setBackendKey } as const;
