import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { chatByKey, countParticipants, deleteParticipant } from '../store/chats.ts';
import { dropTimelineDraftsIn } from '../store/drafts.ts';
import { dropItemsInChat } from '../store/inbox.ts';
import { deleteInvitesOf } from '../store/invites.ts';
import { dropNotesOfAgentIn, dropNotesOfChat } from '../store/notes.ts';
import { dropSummariesOfChat } from '../store/summaries.ts';
import { dropGrantsIn, dropGrantsOfAgentIn } from '../store/tool-calls.ts';
import { takeBackOwn } from '../push/take-back.ts';
import {
  openStreamsOfChat,
  openTurnsOfAgent,
  openTurnsOfAgentInChat,
  openTurnsOfHuman,
  askingTurnsOfHumanInChat,
} from '../store/turns.ts';
import { setGroupAvatar } from '../files/avatars.ts';
import { endUnpaidTurns } from '../agents/end-unpaid-turns.ts';
import { clearDraft } from '../messages/input-drafts.ts';
import { announce, announceMembers } from './announce.ts';
import { endReplies } from '../agents/end-replies.ts';

/**
 * Removes an account from a conversation, whatever the reason: its replies there end, and it gets no events of the
 * conversation after this position of the log (GROUP-8). Turns that an owner's key paid for because of this
 * conversation end too (KEY-13).
 */
export async function removeParticipant(
  call: UnitCall,
  chat: { key: number },
  account: { key: number; kind: 'human' | 'agent' },
): Promise<void> {
  const { tx } = call;
  if (account.kind === 'agent') {
    const streams = await tx.all(openStreamsOfChat, chat.key);
    await endReplies(
      call,
      await tx.all(openTurnsOfAgentInChat, chat.key, account.key),
      streams.filter(({ agent_key }) => agent_key === account.key),
    );
  }
  // Nobody is left who could decide what they wait for, or on whose behalf they may act (WAIT-6).
  else await endReplies(call, await tx.all(askingTurnsOfHumanInChat, chat.key, account.key), []);
  if ((await tx.run(deleteParticipant, chat.key, account.key)) === 0) return;
  await tx.run(dropItemsInChat, account.key, chat.key);
  await tx.run(account.kind === 'agent' ? dropGrantsOfAgentIn : dropGrantsIn, account.key, chat.key);
  if (account.kind === 'agent') await tx.run(dropNotesOfAgentIn, account.key, chat.key);
  // Summaries name people (SUMMARY-9).
  if (account.kind === 'human') await tx.run(dropSummariesOfChat, chat.key);
  await tx.run(countParticipants, chat.key, -1, account.kind === 'agent' ? -1 : 0);
  const left = await tx.get(chatByKey, chat.key);
  if (left) {
    await clearDraft(call, { accountKey: account.key, chatKey: chat.key, chatId: idText(left.id) });
    // Its devices drop those of channels and threads with the conversation.
    await tx.run(dropTimelineDraftsIn, account.key, chat.key);
    const params = { conversation_id: idText(left.id) };
    call.emit({ scope: accountScope(account.key), kind: 'conversationRemoved', params });
    // No human is left to manage the invites (INVITE-7), the picture (GROUP-16) and what agents remember (NOTE-6).
    if (left.participant_count === left.agent_count) {
      await tx.run(dropNotesOfChat, left.key);
      await tx.run(deleteInvitesOf, left.key);
      if (left.avatar_name !== null) announce(call, left, { avatar_url: await setGroupAvatar(call, left, null) });
    }
  }
  const isOwn = call.caller.key === account.key;
  await takeBackOwn(call, chat.key, account.key, isOwn ? call.caller.sessionKey : null, {
    upTo: Number.MAX_SAFE_INTEGER,
  });
  const open = account.kind === 'agent' ? openTurnsOfAgent : openTurnsOfHuman;
  await endUnpaidTurns(call, await tx.all(open, account.key));
  call.intend({ type: 'leave', chatKey: chat.key, accountKey: account.key });
  await announceMembers(call, chat.key);
}
