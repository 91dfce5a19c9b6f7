import type { UnitCall } from '../commits/unit-call.ts';
import { setAvatar } from '../files/avatars.ts';
import { type AccountRow, dropProfile, markAccountDeleted } from '../store/accounts.ts';
import { dropBlocksOf } from '../store/blocks.ts';
import { groupsOf } from '../store/chats.ts';
import { planEmptyingOf } from '../store/people.ts';
import { deleteBot } from '../store/sessions.ts';
import { dropSummariesOfAgent } from '../store/summaries.ts';
import { openStreamsOfAgent, openTurnsOfAgent } from '../store/turns.ts';
import { deleteSubscriptionsOf } from '../store/webhook-subscriptions.ts';
import { deleteWebhookOf } from '../store/webhooks.ts';
import { accountChanged } from './announce-account.ts';
import { removeLibrary } from '../library/sources.ts';
import { removeSettings } from '../agents/config/remove-settings.ts';
import { endReplies } from '../agents/end-replies.ts';
import { removeParticipant } from '../conversations/remove-participant.ts';

/**
 * Ends an agent: deletes its token or webhook, settings, secrets, bio and avatar, closes its sockets and open replies, and removes
 * it from groups (BOT-4). Its messages stay under its name, which is never given out again; so do its direct chats,
 * which the other accounts can still read.
 */
export async function endAgent(call: UnitCall, agent: Pick<AccountRow, 'key' | 'kind'>): Promise<void> {
  const { tx, now } = call;
  await tx.run(deleteBot, agent.key);
  await tx.run(deleteWebhookOf, agent.key);
  await tx.run(deleteSubscriptionsOf, agent.key);
  await setAvatar(call, agent.key, null);
  await tx.run(dropProfile, agent.key);
  await tx.run(dropBlocksOf, agent.key);
  await removeSettings(tx, agent.key);
  await removeLibrary(call, agent.key);
  await tx.run(dropSummariesOfAgent, agent.key);
  await tx.run(markAccountDeleted, agent.key, now);
  call.shutOut(agent.key, true);
  await accountChanged(call, agent.key);
  await endReplies(call, await tx.all(openTurnsOfAgent, agent.key), await tx.all(openStreamsOfAgent, agent.key));
  // Direct chats stay, and are emptied if their other account is deleted too (PEOPLE-14). There may be many thousands.
  await tx.run(planEmptyingOf, agent.key);
  for (const group of await tx.all(groupsOf, agent.key)) await removeParticipant(call, group, agent);
  call.intend({ type: 'closeAccount', accountKey: agent.key });
}
