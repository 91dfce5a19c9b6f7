import type { AdminInput } from './admin-requests.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit, nothing } from '../commits/unit-locks.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import type { FetchedKeys } from '../people/published-keys.ts';
import { endSessions } from '../people/end-sessions.ts';
import {
  backendByIssuer,
  backendNamed,
  type BackendRow,
  insertBackend,
  listedBackends,
  sessionsOfBackend,
  setBackendIssuer as storeIssuer,
  setBackendKey as storeKey,
  setBackendKeys,
  setBackendOwner,
} from '../store/backends.ts';
import type { Sql } from '../store/sql.ts';
import { requireHuman } from './require-human.ts';
import { shellUnit } from './shell-unit.ts';

/** Maximum sessions that one unit ends. */
const BLOCK = 500;

/** Gives a backend a key, instead of an earlier one; the first key makes the backend (ADMIN-18). */
const setBackendKey = shellUnit(
  {
    locks: everything,
    audit: ({ name, owner }) => ({
      command: 'backends key',
      target: name,
      details: owner === null ? undefined : { owner },
    }),
  },
  async ({ tx, now }: UnitCall, { name, owner, keyHash }: AdminInput<'setBackendKey'>): Promise<void> => {
    await tx.run(storeKey, await ensureBackend(tx, { name, owner, now }), Buffer.from(keyHash, 'hex'));
  },
);

/** Accepts JWTs that an issuer signs for a backend, instead of those of its earlier issuer (ADMIN-19). */
const setBackendIssuer = shellUnit(
  {
    locks: everything,
    audit: ({ name, owner, issuer, audience }) => ({
      command: 'backends trust',
      target: name,
      details: { issuer, audience, ...(owner !== null && { owner }) },
    }),
  },
  async ({ tx, now }: UnitCall, input: AdminInput<'setBackendIssuer'>): Promise<void> => {
    const { name, owner, issuer, audience, jwks, jwksUrl } = input;
    const key = await ensureBackend(tx, { name, owner, now });
    const other = await tx.get(backendByIssuer, issuer);
    if (other && other.key !== key) throw conflict(`another backend has the issuer ${issuer}`);
    await tx.run(storeIssuer, key, issuer, audience, jwks, jwksUrl, jwksUrl === null ? null : now);
  },
);

/** Makes the key of a backend invalid, and the JWTs of its issuer. */
const revokeBackend = shellUnit(
  { locks: everything, audit: ({ name }) => ({ command: 'backends revoke', target: name }) },
  async ({ tx }: UnitCall, { name }: AdminInput<'revokeBackend'>): Promise<void> => {
    const { key } = await requireBackend(tx, name);
    await tx.run(storeKey, key, null);
    await tx.run(storeIssuer, key, null, null, null, null, null);
  },
);

/** Ends some sessions of a backend's users; returns their number, 0 once none is left. */
const endBackendSessions = shellUnit(
  { locks: everything, audit: null },
  async (call: UnitCall, { name }: AdminInput<'endBackendSessions'>): Promise<number> => {
    const { key } = await requireBackend(call.tx, name);
    const keys = (await call.tx.all(sessionsOfBackend, key, BLOCK)).map((session) => session.key);
    await endSessions(call, keys);
    return keys.length;
  },
);

const listBackends = shellUnit(
  { locks: nothing, audit: () => ({ command: 'backends list' }) },
  async ({ tx }: UnitCall) => tx.all(listedBackends),
);

/** Stores the keys that a backend publishes at its address, instead of those that were fetched earlier (TOKEN-18). */
export const keepBackendKeys = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { backendKey, url, jwks, fetchedAt }: FetchedKeys): Promise<void> => {
    await tx.run(setBackendKeys, backendKey, url, jwks, fetchedAt, now);
  },
);

/** The key of the backend's row, with another owner if one is given; a new backend needs one. */
async function ensureBackend(
  tx: Sql,
  { name, owner, now }: { name: string; owner: string | null; now: number },
): Promise<number> {
  const known = await tx.get(backendNamed, name);
  if (!known && owner === null) throw invalid('--owner', 'is needed for a new backend');
  const person = owner === null ? null : await requireHuman(tx, owner);
  if (known && person) await tx.run(setBackendOwner, known.key, person.key);
  const row = known ?? (person && (await tx.get(insertBackend, name, person.key, now)));
  if (!row) throw new Error('an INSERT … RETURNING gave no row');
  return row.key;
}

async function requireBackend(tx: Sql, name: string): Promise<BackendRow> {
  const backend = await tx.get(backendNamed, name);
  if (!backend) throw notFound(`backend ${name}`);
  return backend;
}

export const backendUnits = {
  endBackendSessions,
  listBackends,
  revokeBackend,
  setBackendIssuer,
  setBackendKey,
} as const;
