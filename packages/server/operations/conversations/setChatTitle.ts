import type { UnitCall } from '../../commits/unit-call.ts';
import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { conflict } from '../../core/errors.ts';
import { announce } from '../../conversations/announce.ts';
import { assertMayWrite } from '../../messages/may-write.ts';
import { type OwnChatRow, setTitle, titleByHand } from '../../store/chats.ts';
import { requireChat, requireManagedGroup } from '../../access/chats.ts';

export default unit('setChatTitle', { locks: inChat }, async (call, { chat_id, title }) => {
  const chat = await requireChat(call, chat_id);
  if (chat.is_separate === 1) await nameSeparateChat(call, chat, title);
  else {
    await requireManagedGroup(call, chat_id);
    if (title !== chat.title) await call.tx.run(setTitle, chat.key, title);
  }
  if (title !== chat.title) announce(call, chat, { title });
  return undefined;
});

/** Stores the title also if it is the same: from now on it is the one that its author chose (NEWCHAT-6, TITLE-7). */
async function nameSeparateChat(call: UnitCall, chat: OwnChatRow, title: string): Promise<void> {
  const { tx, caller } = call;
  if (caller.kind === 'agent') {
    await assertMayWrite(call, chat);
    if (chat.titled_by === 'human') throw conflict('the human has named this chat');
  }
  await tx.run(titleByHand, chat.key, title, caller.kind);
}
