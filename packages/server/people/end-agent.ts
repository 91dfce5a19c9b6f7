import type { UnitCall } from '../commits/unit-call.ts';
import { setAvatar } from '../files/avatars.ts';
import { type AccountRow, dropProfile, markAccountDeleted } from '../store/accounts.ts';
import { dropBlocksOf } from '../store/blocks.ts';
import { chatByKey, chatKeysOf } from '../store/chats.ts';
import { planEmptying } from '../store/people.ts';
import { deleteBot } from '../store/sessions.ts';
import { dropSummariesOfAgent } from '../store/summaries.ts';
import { openStreamsOfChat, openTurnsOfAgentInChat } from '../store/turns.ts';
import { accountChanged } from './announce-account.ts';
import { removeSettings } from '../agents/config/remove-settings.ts';
import { endReplies } from '../agents/end-replies.ts';
import { removeParticipant } from '../conversations/remove-participant.ts';

/**
 * Ends an agent: deletes its token, settings, secrets, bio and avatar, closes its sockets and open replies, and removes
 * it from groups (BOT-4). Its messages stay under its name, which is never given out again; so do its direct chats,
 * which the other accounts can still read.
 */
export async function endAgent(call: UnitCall, agent: Pick<AccountRow, 'key' | 'kind'>): Promise<void> {
  const { tx, now } = call;
  await tx.run(deleteBot, agent.key);
  await setAvatar(call, agent.key, null);
  await tx.run(dropProfile, agent.key);
  await tx.run(dropBlocksOf, agent.key);
  await removeSettings(tx, agent.key);
  await tx.run(dropSummariesOfAgent, agent.key);
  await tx.run(markAccountDeleted, agent.key, now);
  call.shutOut(agent.key, true);
  await accountChanged(call, agent.key);
  for (const { chat_key } of await tx.all(chatKeysOf, agent.key)) await leave(call, chat_key, agent);
  call.intend({ type: 'closeAccount', accountKey: agent.key });
}

/** Leaves a group. A direct chat stays, but is emptied if its other account is deleted too (PEOPLE-14). */
async function leave(call: UnitCall, chatKey: number, agent: Pick<AccountRow, 'key' | 'kind'>): Promise<void> {
  const chat = await call.tx.get(chatByKey, chatKey);
  if (chat?.kind === 'group') return removeParticipant(call, chat, agent);
  const streams = await call.tx.all(openStreamsOfChat, chatKey);
  await endReplies(
    call,
    await call.tx.all(openTurnsOfAgentInChat, chatKey, agent.key),
    streams.filter(({ agent_key }) => agent_key === agent.key),
  );
  await call.tx.run(planEmptying, chatKey);
}
