import { GUIDE_NAME } from '../agents/ensure-guide.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { pairOf, makeChat } from '../conversations/make-chat.ts';
import { accountByName, type AccountRow } from '../store/accounts.ts';

/** Starts the direct chat with the guide, which answers a new account without a key. */
export async function meetGuide(call: UnitCall, account: AccountRow): Promise<void> {
  const guide = await call.tx.get(accountByName, GUIDE_NAME);
  if (!guide) return;
  await makeChat(call, {
    kind: 'direct',
    title: null,
    pair: pairOf(account.key, guide.key),
    members: [account, guide].map(({ key, kind }) => ({ accountKey: key, kind, role: 'member', alwaysOn: null })),
  });
}
