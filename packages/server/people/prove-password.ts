import type { Caller } from '../store/call.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import type { Sql } from '../store/sql.ts';
import { accountByKey } from '../store/accounts.ts';
import { sessionByKey } from '../store/sessions.ts';
import { checkPassword, type PasswordCheck } from './check-password.ts';

/** How long after its sign-in a session may do what a thief would want most without the password (AUTH-22). */
const FRESH_MS = 900_000;

/** `field` tells clients that they may ask the person for the password and try again. */
const refused = (why: string) => new ServiceError('forbidden', why, { field: 'password' });
export const wrongPassword = () => refused('the password is wrong');

interface Ports extends PasswordCheck {
  readonly read: Sql;
}

/** Who gives a password, and where from. */
interface Prover {
  caller: Caller | null;
  address: string;
}

/** The stored form of the caller's password, if this is it; 403 for a wrong one, and for an account that has none. */
export async function provePassword(ports: Ports, { caller, address }: Prover, password: string): Promise<string> {
  const { read } = ports;
  const account = caller ? await read.get(accountByKey, caller.key) : undefined;
  if (!caller || caller.sessionKey === null || !account || account.password_hash === null)
    throw forbidden('this account has no password');
  const session = await read.get(sessionByKey, caller.sessionKey);
  // It may have ended since the call was let in.
  if (!session) throw forbidden('this session has ended');
  const from = { type: 'session', id: idText(session.id) } as const;
  const attempt = { username: account.username, address, from };
  if (!(await checkPassword(ports, attempt, password, account.password_hash))) throw wrongPassword();
  return account.password_hash;
}

/**
 * Asks for the password where a stolen session would outlive its own end: 403 without the right one, unless the account
 * has none or the session has just signed in (AUTH-22).
 */
export async function askPassword(ports: Ports, prover: Prover, password: string | undefined): Promise<void> {
  const { read, clock } = ports;
  const { caller } = prover;
  if (!caller || caller.sessionKey === null) return;
  const session = await read.get(sessionByKey, caller.sessionKey);
  if (session && clock.now() - session.created_at <= FRESH_MS) return;
  const account = await read.get(accountByKey, caller.key);
  if (account?.password_hash === null) return;
  if (password === undefined) throw refused('the password is needed: this session signed in more than 15 minutes ago');
  await provePassword(ports, prover, password);
}
