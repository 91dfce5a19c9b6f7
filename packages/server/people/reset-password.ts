import type { UnitCall } from '../commits/unit-call.ts';
import type { AccountRow } from '../store/accounts.ts';
import { deleteSubscriptionsOf } from '../store/webhook-subscriptions.ts';
import { endAllSessions } from './disable-account.ts';
import { setNewPassword } from './set-new-password.ts';

/** Sets a new password and ends all sessions, webhook subscriptions and links for a password (ADMIN-5, ENTER-9). */
export async function resetPassword(call: UnitCall, account: AccountRow, passwordHash: string): Promise<number> {
  await setNewPassword(call, account.key, passwordHash);
  await call.tx.run(deleteSubscriptionsOf, account.key);
  return endAllSessions(call, account);
}
