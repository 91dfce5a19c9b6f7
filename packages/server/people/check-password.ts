import { passwords } from '../secrets/passwords.ts';
import type { PasswordTry } from '../calls/rate-limits.ts';
import type { Service } from '../service/service.ts';

/**
 * The only place where a password of an account is checked: every try counts to the same rates (LIMIT-2, AUTH-19).
 * `stored` is null where there is no such account or it has no password.
 */
export async function checkPassword(
  { rateLimits, clock }: Pick<Service, 'rateLimits' | 'clock'>,
  attempt: PasswordTry,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const now = clock.now();
  await rateLimits?.admitPassword(attempt, now);
  let isRight: boolean;
  try {
    isRight = await passwords.verify(password, stored, attempt.from.type === 'stranger' ? 'strangers' : 'known');
  } catch (error) {
    await rateLimits?.uncountTry(attempt, now);
    throw error;
  }
  if (isRight) await rateLimits?.clearPause(attempt);
  return isRight;
}
