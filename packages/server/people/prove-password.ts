import { msSince } from '@parley/protocol/dates';
import type { Caller } from '../access/call.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import type { Sql } from '../store/sql.ts';
import { accountByKey } from '../store/accounts.ts';
import { sessionByKey } from '../store/sessions.ts';
import { issuersOf } from '../store/oidc.ts';
import { checkPassword, type PasswordCheck } from './check-password.ts';

/** How long after its sign-in a session may make sensitive changes without giving the password again (AUTH-22). */
const FRESH_MS = 900_000;

/** `field` lets clients ask the person for the password and retry. */
const refused = (why: string) => new ServiceError('forbidden', why, { field: 'password' });
export const wrongPassword = () => refused('the password is wrong');

interface PasswordNeeds extends PasswordCheck {
  readonly read: Sql;
}

/** The caller who gives a password, and its network address. */
interface Prover {
  caller: Caller | null;
  address: string;
}

/** Checks the caller's password and returns its stored hash; 403 if it is wrong or the account has none. */
export async function provePassword(
  needs: PasswordNeeds,
  { caller, address }: Prover,
  password: string,
): Promise<string> {
  const { read } = needs;
  const account = caller ? await read.get(accountByKey, caller.key) : undefined;
  if (!caller || caller.sessionKey === null || !account || account.password_hash === null)
    throw forbidden('this account has no password');
  const session = await read.get(sessionByKey, caller.sessionKey);
  // The session may have ended since the call was authenticated.
  if (!session) throw forbidden('this session has ended');
  const from = { type: 'session', id: idText(session.id) } as const;
  const attempt = { username: account.username, address, from };
  if (!(await checkPassword(needs, attempt, password, account.password_hash))) throw wrongPassword();
  return account.password_hash;
}

/**
 * Proves that the caller is the person: by the password, or, for who signs in at an issuer only, by having just signed in
 * (OIDC-13). Returns the stored hash; null for an account without one.
 */
export async function provePerson(needs: PasswordNeeds, prover: Prover, password: string): Promise<string | null> {
  const { read, clock } = needs;
  const { caller } = prover;
  const account = caller ? await read.get(accountByKey, caller.key) : undefined;
  const isOfIssuer = account?.password_hash === null && (await read.get(issuersOf, account.key)) !== undefined;
  if (!caller || !isOfIssuer) return provePassword(needs, prover, password);
  const session = caller.sessionKey === null ? undefined : await read.get(sessionByKey, caller.sessionKey);
  if (session && isFresh(session.created_at, clock.now())) return null;
  throw forbidden('sign in again first: this session signed in more than 15 minutes ago');
}

/** A sign-in that is yet to come is as far from now: the clock was set back. */
const isFresh = (signedInAt: number, now: number): boolean => Math.abs(msSince(signedInAt, now)) <= FRESH_MS;

/**
 * Requires the password for changes that would let a thief of the session keep access after it ends: 403 without the
 * right one, unless the account has no password or the session has just signed in (AUTH-22).
 */
export async function askPassword(needs: PasswordNeeds, prover: Prover, password: string | undefined): Promise<void> {
  const { read, clock } = needs;
  const { caller } = prover;
  if (!caller || caller.sessionKey === null) return;
  const session = await read.get(sessionByKey, caller.sessionKey);
  if (session && isFresh(session.created_at, clock.now())) return;
  const account = await read.get(accountByKey, caller.key);
  if (account?.password_hash === null) return;
  if (password === undefined) throw refused('the password is needed: this session signed in more than 15 minutes ago');
  await provePassword(needs, prover, password);
}
