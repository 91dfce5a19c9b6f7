import type { TitleRequest } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { idText } from '../core/ids.ts';
import { sampleOf } from '../rules/chat-titles.ts';
import { TITLE_TOKENS } from '../rules/reply-estimates.ts';
import type { AccountRow } from '../store/accounts.ts';
import { ownerConfig } from '../store/bot-config.ts';
import { askForTitle, type ChatRow } from '../store/chats.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import type { TurnRow } from '../store/turns.ts';
import { claimOf } from './owner-key.ts';

interface Ended {
  chat: ChatRow;
  agent: AccountRow;
  turn: TurnRow;
  messageKey: number;
  reply: string;
}

/**
 * Leaves the request for a better title after a complete reply, at most once for a first title (TITLE-2, TITLE-4, TITLE-5).
 * Call it after the reply's usage is booked: it may have reached a cap.
 */
export async function planTitle(call: UnitCall, { chat, agent, turn, messageKey, reply }: Ended): Promise<void> {
  const { tx } = call;
  // The guide has no payer, and bots make titles themselves (TITLE-8).
  if (chat.titled_by !== 'question' || turn.runner !== 'server' || turn.payer === null) return;
  if ((await tx.get(ownerConfig, agent.key))?.titles === 0) return;
  // Titles reserve nothing, so each must find room for itself beside the replies that run.
  const terms = await claimOf(call, agent, turn, TITLE_TOKENS);
  if (terms === 'full' || terms.refused !== null || terms.payer !== turn.payer) return;
  const question = await tx.get(messageByKey, turn.message_key);
  if (!question || question.deleted_at !== null || (await tx.run(askForTitle, chat.key)) === 0) return;
  const request: TitleRequest = {
    chatKey: chat.key,
    chatId: idText(chat.id),
    agentKey: agent.key,
    messageKey,
    turnKey: turn.key,
    humanKey: turn.human_key,
    payer: turn.payer,
    question: sampleOf(recordOf(question).content),
    reply: sampleOf(reply),
  };
  call.intend({ type: 'makeTitle', request });
}
