import { GUIDE_NAME } from '../agents/ensure-guide.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { pairOf, makeChat } from '../conversations/make-chat.ts';
import { accountByName, type AccountRow, HOUSE_NAME } from '../store/accounts.ts';

/**
 * Starts the direct chats of a new account: with the guide, which answers without a key, and above it with the house's
 * agent, if the operator has one (HOUSE-5).
 */
export async function meetGuide(call: UnitCall, account: AccountRow): Promise<void> {
  await meet(call, account, await call.tx.get(accountByName, GUIDE_NAME));
  const house = await call.tx.get(accountByName, HOUSE_NAME);
  // It is not public while it is off.
  if (house?.is_public === 1) await meet(call, account, house);
}

async function meet(call: UnitCall, account: AccountRow, agent: AccountRow | undefined): Promise<void> {
  if (!agent) return;
  await makeChat(call, {
    kind: 'direct',
    title: null,
    pair: pairOf(account.key, agent.key),
    members: [account, agent].map(({ key, kind }) => ({ accountKey: key, kind, role: 'member', alwaysOn: null })),
  });
}
