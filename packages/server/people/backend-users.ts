import { hash } from 'node:crypto';
import type { UnitCall } from '../commits/unit-call.ts';
import { forbidden, invalid, ServiceError } from '../core/errors.ts';
import { backendUsername } from '../rules/backend-usernames.ts';
import { isReservedName, RESERVED } from '../rules/reserved-names.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import {
  backendByToken,
  type BackendRow,
  backendUser,
  deletedUser,
  insertBackendUser,
  noteDeletedUser,
  trustedBackend,
  userOfAccount,
} from '../store/backends.ts';
import type { Sql } from '../store/sql.ts';
import { changePerson } from './change-person.ts';
import { makeHuman } from './make-human.ts';

/** Maximum names that are tried for a new user; each after the first ends in 32 random bits. */
const TRIES = 5;

export interface Backend extends BackendRow {
  /** The person for whom the backend acts. */
  owner: AccountRow;
}

/** The backend with this key; 401 if there is none, or if its owner is deleted or disabled (TOKEN-1). */
export async function requireBackend(tx: Sql, tokenHash: Uint8Array): Promise<Backend> {
  return withOwner(tx, await tx.get(backendByToken, tokenHash));
}

/** The backend, if it still trusts the issuer of a JWT that was verified (TOKEN-14). */
export const requireTrusted = async (tx: Sql, key: number, issuer: string): Promise<Backend> =>
  withOwner(tx, await tx.get(trustedBackend, key, issuer));

async function withOwner(tx: Sql, backend: BackendRow | undefined): Promise<Backend> {
  const owner = backend && (await tx.get(accountByKey, backend.owner_key));
  if (!owner || owner.deleted_at !== null || owner.disabled_at !== null)
    throw new ServiceError('unauthenticated', 'a valid key or JWT of a backend is needed');
  return { ...backend, owner };
}

/** The account of a backend's user, with its current name; undefined if it has none yet. */
export async function findUser(tx: Sql, backend: BackendRow, externalId: string): Promise<AccountRow | undefined> {
  const user = await tx.get(backendUser, backend.key, externalId);
  return user && tx.get(accountByKey, user.account_key);
}

/** The account of a backend's user, made at its first use, with the display name that the backend gives (TOKEN-2 …). */
export async function ensureUser(
  call: UnitCall,
  backend: BackendRow,
  { external_id: externalId, display_name: displayName }: { external_id: string; display_name: string },
): Promise<AccountRow> {
  const known = await findUser(call.tx, backend, externalId);
  if (known && known.disabled_at !== null) throw forbidden('this account is disabled');
  if (displayName !== known?.display_name && isReservedName(displayName)) throw invalid('display_name', RESERVED);
  if (known) await changePerson(call, known, { displayName });
  const key = known?.key ?? (await addUser(call, backend, externalId, displayName));
  const account = await call.tx.get(accountByKey, key);
  if (!account) throw new Error('the account of a user does not exist');
  return account;
}

/** Remembers for a day that an account is deleted, if it is one of a backend's user (TOKEN-16). */
export async function noteDeletion({ tx, now }: UnitCall, accountKey: number): Promise<void> {
  const user = await tx.get(userOfAccount, accountKey);
  if (user) await tx.run(noteDeletedUser, user.backend_key, idHash(user.external_id), now);
}

/** When the backend's user was deleted, if in the last day. */
export const deletionOf = async (tx: Sql, backend: BackendRow, externalId: string): Promise<number | undefined> =>
  (await tx.get(deletedUser, backend.key, idHash(externalId)))?.deleted_at;

const idHash = (externalId: string): Uint8Array => hash('sha256', externalId, 'buffer');

/** The account is always a new one, so a backend's id can never open an existing account. */
async function addUser(call: UnitCall, backend: BackendRow, externalId: string, displayName: string): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const suffix = tried === 0 ? undefined : Buffer.from(call.newId().slice(-4)).toString('hex');
    const username = backendUsername(externalId, suffix);
    const key = await makeHuman(call, { username, displayName, passwordHash: null });
    if (key === null) continue;
    await call.tx.run(insertBackendUser, backend.key, externalId, key);
    return key;
  }
  throw new Error('no free username was found');
}
