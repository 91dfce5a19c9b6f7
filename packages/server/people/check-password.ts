import { passwords } from '../secrets/passwords.ts';
import type { Clock } from '../core/clock.ts';
import type { PasswordTries, PasswordTry } from './password-tries.ts';

/** `passwordTries` is null if rate limits are off. */
export interface PasswordCheck {
  readonly passwordTries: PasswordTries | null;
  readonly clock: Clock;
}

/** Counts an attempt before its secret is checked; a right one ends the pause (LIMIT-2, AUTH-19). */
export async function countedTry(
  { passwordTries, clock }: PasswordCheck,
  attempt: PasswordTry,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const now = clock.monotonic();
  await passwordTries?.admitPassword(attempt, now);
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await passwordTries?.uncountTry(attempt, now);
    throw error;
  }
  if (isRight) await passwordTries?.clearPause(attempt);
  return isRight;
}

/**
 * The only place where an account's password is checked, so that every attempt counts towards the same rates (LIMIT-2,
 * AUTH-19). `stored` is null if there is no such account, or it has no password.
 */
export const checkPassword = (
  needs: PasswordCheck,
  attempt: PasswordTry,
  password: string,
  stored: string | null,
): Promise<boolean> =>
  countedTry(needs, attempt, () =>
    passwords.verify(password, stored, attempt.from.type === 'stranger' ? 'strangers' : 'known'),
  );
