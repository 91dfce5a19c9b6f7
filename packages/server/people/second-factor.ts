// The second factor of people who sign in with a password: codes of an app, or of a list kept for the day it is lost.
import { randomBytes } from 'node:crypto';
import type { Caller } from '../access/call.ts';
import type { Clock } from '../core/clock.ts';
import { conflict, forbidden, ServiceError } from '../core/errors.ts';
import { idText } from '../core/ids.ts';
import { factorBinding, type KeyRing } from '../secrets/seal.ts';
import { tokenHash } from '../secrets/tokens.ts';
import { base32, stepOfCode } from '../secrets/totp.ts';
import {
  addRecoveryCode,
  countRecoveryCodes,
  dropRecoveryCodes,
  dropSecondFactor,
  recoveryCode,
  secondFactorOf,
  type SecondFactorRow,
  takeRecoveryCode,
  takeStep,
} from '../store/second-factors.ts';
import type { Sql } from '../store/sql.ts';
import { countedTry } from './check-password.ts';
import { currentSessionId } from './current-session.ts';
import type { PasswordTries, PasswordTry } from './password-tries.ts';

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
/** What an app shows; no recovery code looks like it. */
const OF_APP = /^\d{6}$/;

/** `field` lets clients ask the person for a code and call again. */
const refused = (why: string) => new ServiceError('forbidden', why, { field: 'code' });
export const codeNeeded = () => refused('a code of the second factor is needed');
export const wrongCode = () => refused('the code is wrong, or was used before');

export interface FactorNeeds {
  readonly clock: Clock;
  readonly keys: KeyRing;
  /** Null if rate limits are off. */
  readonly passwordTries: PasswordTries | null;
}

/** A code that was right when it was checked; the unit takes it. */
export type ProvenFactor =
  | { kind: 'step'; sealed: string; step: number }
  | { kind: 'recovery'; codeHash: Uint8Array }
  | null;

/** The secret of a second factor. */
export const secretOf = ({ keys }: Pick<FactorNeeds, 'keys'>, { account_key: key, sealed }: SecondFactorRow): string =>
  keys.open(sealed, factorBinding(key));

/** A recovery code as it is compared: people copy it with spaces, dashes and small letters. */
const recoveryHash = (code: string): Uint8Array => tokenHash(`r_${code.toUpperCase().replaceAll(/[\s-]/g, '')}`);

/**
 * Checks a code of the account's second factor: of the app, or one for recovery. Null if the account has none. 403 without
 * the right one, which counts towards rates of its own, by account and by address (FACTOR-4).
 */
export async function proveFactor(
  needs: FactorNeeds,
  read: Sql,
  accountKey: number,
  attempt: PasswordTry,
  code: string | undefined,
): Promise<ProvenFactor> {
  const row = await read.get(secondFactorOf, accountKey);
  if (!row || row.confirmed_at === null) return null;
  if (code === undefined) throw codeNeeded();
  return proveCode(needs, attempt, async () => {
    const digits = code.replaceAll(/\s/g, '');
    if (OF_APP.test(digits)) {
      const step = stepOfCode(secretOf(needs, row), digits, needs.clock.now());
      return step === null ? null : { kind: 'step', sealed: row.sealed, step };
    }
    // Also for a person whose sealed secret no key of the service opens any more.
    const codeHash = recoveryHash(code);
    return (await read.get(recoveryCode, accountKey, codeHash)) ? { kind: 'recovery', codeHash } : null;
  });
}

/** Codes have pauses of their own, also those from a known device or session. */
const codesOf = ({ from }: PasswordTry): PasswordTry['from'] =>
  from.type === 'stranger' ? from : { ...from, id: `code:${from.id}` };

/** Counts an attempt to give a code; 403 if `check` finds nothing. */
export async function proveCode<Proof>(
  needs: FactorNeeds,
  attempt: PasswordTry,
  check: () => Promise<Proof | null>,
): Promise<Proof> {
  let proof: Proof | null = null;
  // No account has such a name, and a right password must not end the pause of codes.
  const ofCodes = { ...attempt, username: `code:${attempt.username}`, from: codesOf(attempt) };
  const isRight = await countedTry(needs, ofCodes, async () => {
    proof = await check();
    return proof !== null;
  });
  if (!isRight || proof === null) throw wrongCode();
  return proof;
}

/** In a unit: takes a code, so that it counts once (FACTOR-3). 403 if it was taken, or the factor changed, meanwhile. */
export async function takeFactor(tx: Sql, accountKey: number, proof: ProvenFactor): Promise<void> {
  if (proof === null) {
    // It was turned on while the password was checked.
    if (await hasFactor(tx, accountKey)) throw codeNeeded();
    return;
  }
  const taken =
    proof.kind === 'step'
      ? await tx.run(takeStep, accountKey, proof.sealed, proof.step)
      : await tx.run(takeRecoveryCode, accountKey, proof.codeHash);
  if (taken === 0) throw wrongCode();
}

/** An attempt from a session of the account. */
export async function tryOfSession(read: Sql, caller: Caller, address: string): Promise<PasswordTry> {
  const session = await currentSessionId({ tx: read, caller });
  return { username: caller.username, address, from: { type: 'session', id: session ? idText(session) : '' } };
}

/** Checks a code of the caller's own second factor; 409 if it has none. */
export async function proveOwnFactor(
  needs: FactorNeeds & { readonly read: Sql },
  call: { caller: Caller | null; address: string },
  code: string,
): Promise<ProvenFactor> {
  const caller = requireSessionOfPerson(call);
  const proof = await proveFactor(
    needs,
    needs.read,
    caller.key,
    await tryOfSession(needs.read, caller, call.address),
    code,
  );
  if (proof === null) throw conflict('this account has no second factor');
  return proof;
}

export async function dropFactor(tx: Sql, accountKey: number): Promise<void> {
  await tx.run(dropSecondFactor, accountKey);
  await tx.run(dropRecoveryCodes, accountKey);
}

export async function hasFactor(tx: Sql, accountKey: number): Promise<boolean> {
  const row = await tx.get(secondFactorOf, accountKey);
  return row !== undefined && row.confirmed_at !== null;
}

export const recoveryCodesLeft = async (tx: Sql, accountKey: number): Promise<number> =>
  (await tx.get(countRecoveryCodes, accountKey))?.count ?? 0;

/** New codes for recovery, as people read them: `ABCD-EFGH-JKLM-NOPQ`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'));

/** Stores codes in the place of all former ones. */
export async function storeRecoveryCodes(tx: Sql, accountKey: number, codes: readonly string[]): Promise<void> {
  await tx.run(dropRecoveryCodes, accountKey);
  for (const code of codes) await tx.run(addRecoveryCode, accountKey, recoveryHash(code));
}

/** The person of a session; 403 for an agent, and for a token that belongs to no session. */
export function requireSessionOfPerson({ caller }: { caller: Caller | null }): Caller & { sessionKey: number } {
  if (!caller || caller.kind !== 'human' || caller.sessionKey === null)
    throw forbidden('only people who have signed in have a second factor');
  return { ...caller, sessionKey: caller.sessionKey };
}
