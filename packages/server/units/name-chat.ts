import { book } from '../agents/book-usage.ts';
import type { TitleEnd } from '../agents/chat-titles.ts';
import type { TitleRequest } from '../commits/effects.ts';
import { account, chat } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { announce } from '../conversations/announce.ts';
import { idBytes } from '../core/ids.ts';
import { sampleOf } from '../rules/chat-titles.ts';
import { titleByModel } from '../store/chats.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import { turnByKey } from '../store/turns.ts';

interface NameChat extends TitleEnd {
  request: TitleRequest;
}

/** Stores the title that a model has made, if the chat still wants it, and books what it cost (TITLE-6, TITLE-7). */
export const nameChat = internalUnit(
  {
    // Locks the conversation (title) and the agent (usage).
    locks: ({ input: { request } }) => [chat(request.chatId), account(request.agentKey)],
  },
  async (call: UnitCall, { request, title, usage, price, estimatedTokens }: NameChat): Promise<void> => {
    const { chatKey, chatId, agentKey, messageKey, turnKey } = request;
    await book(call, { messageKey, agentKey, chatKey, turnKey, usage, price, estimatedTokens, isReply: false });
    const questionKey = title === null ? null : await askedQuestion(call, request);
    if (title === null || questionKey === null) return;
    if ((await call.tx.run(titleByModel, chatKey, title, questionKey, messageKey)) > 0)
      announce(call, { key: chatKey, id: idBytes(chatId) }, { title });
  },
);

/**
 * The question of the turn, if it and the reply are still what the model was sent: a title must not tell of a deleted
 * message (TITLE-9).
 */
async function askedQuestion(
  { tx }: UnitCall,
  { turnKey, messageKey, question }: TitleRequest,
): Promise<number | null> {
  const turn = await tx.get(turnByKey, turnKey);
  const [asked, reply] = [
    turn && (await tx.get(messageByKey, turn.message_key)),
    await tx.get(messageByKey, messageKey),
  ];
  if (!asked || asked.deleted_at !== null || !reply || reply.deleted_at !== null) return null;
  return sampleOf(recordOf(asked).content) === question ? asked.key : null;
}
