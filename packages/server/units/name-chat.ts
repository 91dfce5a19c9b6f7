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

export interface NameChat extends TitleEnd {
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
    if (title === null || !(await isAsked(call, request))) return;
    if ((await call.tx.run(titleByModel, chatKey, title)) > 0)
      announce(call, { key: chatKey, id: idBytes(chatId) }, { title });
  },
);

/** Whether the question of the turn is still what the model was sent: a title must not tell of a deleted one (TITLE-9). */
async function isAsked({ tx }: UnitCall, { turnKey, question }: TitleRequest): Promise<boolean> {
  const turn = await tx.get(turnByKey, turnKey);
  const row = turn && (await tx.get(messageByKey, turn.message_key));
  return row !== undefined && row.deleted_at === null && sampleOf(recordOf(row).content) === question;
}
