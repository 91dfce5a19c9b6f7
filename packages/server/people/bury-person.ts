import { DELETED_NAME } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { setAvatar } from '../files/avatars.ts';
import { type AccountRow, agentsEverOf, forgetPerson, markAccountDeleted } from '../store/accounts.ts';
import { dropBlocksOf } from '../store/blocks.ts';
import { type ChatRow, dropTitlesOf, groupsOf, participant, setRole, titledChatsWithBots } from '../store/chats.ts';
import { dropTokensOf } from '../store/notifications.ts';
import { heirOf, planEmptyingOf, removeBelongings } from '../store/people.ts';
import { forgetReasonsOf } from '../store/reports.ts';
import { dropServiceInvitesOf } from '../store/service-invites.ts';
import { sessionsOf } from '../store/sessions.ts';
import { forgetShownOf } from '../store/shown-pushes.ts';
import { dropSummariesAround, dropSummariesOfAsker } from '../store/summaries.ts';
import { emojiOf } from '../store/emoji.ts';
import { dropEmoji } from '../files/emoji.ts';
import { dropUnsentOf } from '../files/stored-files.ts';
import { accountChanged } from './announce-account.ts';
import { noteDeletion } from './backend-users.ts';
import { endSessions } from './end-sessions.ts';
import { endAgent } from './end-agent.ts';
import { endRepliesFiredBy } from '../agents/end-replies.ts';
import { announce, announceNeeds } from '../conversations/announce.ts';
import { takeOut } from '../conversations/members.ts';
import { dropScheduled } from '../conversations/scheduled.ts';
import { scheduledKinds, scheduledOf } from '../store/scheduled.ts';

/**
 * Turns a person into a tombstone (PEOPLE-8 … PEOPLE-11). Deletes its own data and its agents; its messages to others
 * stay. The account's change is published before it leaves its conversations, so that their participants get it.
 */
export async function buryPerson(call: UnitCall, person: AccountRow): Promise<void> {
  const { tx, now } = call;
  for (const agent of await tx.all(agentsEverOf, person.key)) {
    // Names of agents may contain the person's name.
    await forget(call, agent.key);
    if (agent.deleted_at === null) await endAgent(call, agent);
    else await accountChanged(call, agent.key);
  }
  for (const removal of dropServiceInvitesOf) await tx.run(removal, person.key);
  await noteDeletion(call, person.key);
  await forget(call, person.key);
  await tx.run(markAccountDeleted, person.key, now);
  call.shutOut(person.key, true);
  await accountChanged(call, person.key);
  await endSessions(
    call,
    (await tx.all(sessionsOf, person.key, 0)).map(({ key }) => key),
  );
  await endRepliesFiredBy(call, person.key);
  // Conversations without readers are emptied after the commit (PEOPLE-14). An account may have many thousands.
  await tx.run(planEmptyingOf, person.key);
  await dropTitles(call, person.key);
  for (const group of await tx.all(groupsOf, person.key)) await leave(call, group, person.key);
  call.intend({ type: 'closeAccount', accountKey: person.key });
}

/** Deletes an account's profile and private data. */
async function forget(call: UnitCall, accountKey: number): Promise<void> {
  const { tx } = call;
  await setAvatar(call, accountKey, null);
  await tx.run(forgetPerson, accountKey, DELETED_NAME);
  await tx.run(forgetShownOf, accountKey);
  await tx.run(dropTokensOf, accountKey);
  await tx.run(dropBlocksOf, accountKey);
  await tx.run(forgetReasonsOf, accountKey);
  for (const kind of scheduledKinds)
    for (const row of await tx.all(scheduledOf, accountKey, kind)) await dropScheduled(call, row);
  await dropUnsentOf(call, accountKey);
  for (const emoji of await tx.all(emojiOf, accountKey)) await dropEmoji(call, emoji);
  await removeBelongings(tx, accountKey);
  // Summaries name people.
  await tx.run(dropSummariesOfAsker, accountKey);
  await tx.run(dropSummariesAround, accountKey);
}

/** Deletes the titles of separate chats, which repeat what the person wrote or chose (NEWCHAT-8). */
async function dropTitles(call: UnitCall, personKey: number): Promise<void> {
  // Agents that the service runs have no devices to inform.
  for (const chat of await call.tx.all(titledChatsWithBots, personKey)) announce(call, chat, { title: null });
  await call.tx.run(dropTitlesOf, personKey);
}

/** Leaves a group. One that the person owned gets another owner, if possible. */
async function leave(call: UnitCall, group: ChatRow, personKey: number): Promise<void> {
  const { tx } = call;
  const own = await tx.get(participant, group.key, personKey);
  if (!own) return;
  const heir = own.role === 'owner' ? await tx.get(heirOf, group.key, personKey) : undefined;
  if (heir) {
    await tx.run(setRole, group.key, heir.account_key, 'owner');
    await announceNeeds(call, group.key, heir.account_key);
  }
  await takeOut(call, group, { account_key: personKey, kind: 'human', role: 'member' });
}
