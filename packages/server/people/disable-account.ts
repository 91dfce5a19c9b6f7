import type { UnitCall } from '../commits/unit-call.ts';
import { type AccountRow, agentsOf, setDisabled } from '../store/accounts.ts';
import { dropDevicesOf } from '../store/device-tokens.ts';
import { dropTokensOf } from '../store/notifications.ts';
import { sessionsOf } from '../store/sessions.ts';
import { forgetShownOf } from '../store/shown-pushes.ts';
import { endSessions } from './end-sessions.ts';

/** Disables an account and its agents (ADMIN-3). Returns the number of ended sessions. */
export async function disableAccount(call: UnitCall, account: AccountRow): Promise<number> {
  const { tx, now } = call;
  await tx.run(setDisabled, account.key, account.disabled_at ?? now);
  await tx.run(forgetShownOf, account.key);
  await tx.run(dropTokensOf, account.key);
  call.shutOut(account.key, true);
  for (const { key } of await tx.all(agentsOf, account.key)) {
    call.shutOut(key, true);
    call.intend({ type: 'closeAccount', accountKey: key });
  }
  return endAllSessions(call, account);
}

/** Enables a disabled account and its agents (ADMIN-4). */
export async function enableAccount(call: UnitCall, account: AccountRow): Promise<void> {
  await call.tx.run(setDisabled, account.key, null);
  for (const { key } of [account, ...(await call.tx.all(agentsOf, account.key))]) call.shutOut(key, false);
}

/** Ends all sessions, expired ones too, and the sockets of tokens without a session. Returns how many were valid. */
export async function endAllSessions(call: UnitCall, account: Pick<AccountRow, 'key'>): Promise<number> {
  const { tx, now } = call;
  await tx.run(dropDevicesOf, account.key);
  const sessions = await tx.all(sessionsOf, account.key, 0);
  await endSessions(
    call,
    sessions.map(({ key }) => key),
  );
  call.intend({ type: 'closeAccount', accountKey: account.key });
  return sessions.filter(({ expires_at }) => expires_at > now).length;
}
