import { type Input, limits } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { announceState } from '../../conversations/announce.ts';
import { currentView } from '../../conversations/current-view.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { type ChatState, countInFolder, folderOf, pinsOfList, updateChatState } from '../../store/chat-states.ts';
import type { OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { takeBackOwn } from '../../push/take-back.ts';
import { newestMessageKey } from '../../store/newest-message.ts';
import { unitThen } from '../handler.ts';

// Locks the account, whose pins and folders are counted, and the conversation, whose newest message is read.
const locks: LockRule<Input<'setChatState'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

/** A conversation is not pinned and archived at the same time: either ends the other (CHATSTATE-4). */
export default unitThen(
  'setChatState',
  { locks },
  async (call, input) => {
    const chat = await requireChat(call, input.chat_id);
    const next = await nextState(call, chat, input);
    const isSame =
      next.pin_order === chat.pin_order &&
      next.archived_key === chat.archived_key &&
      next.is_marked_unread === chat.is_marked_unread &&
      (next.folder_id === chat.folder_id ||
        (next.folder_id && chat.folder_id && !Buffer.compare(next.folder_id, chat.folder_id)));
    if (isSame) return chat.key;
    const { pin_order, archived_key, is_marked_unread, folder_id } = next;
    await call.tx.run(updateChatState, chat.key, call.caller.key, pin_order, archived_key, is_marked_unread, folder_id);
    await announceState(call, chat.key);
    // The archive does not count for badges (PUSH-23). No notification is closed.
    if ((archived_key === null) !== (chat.archived_key === null))
      await takeBackOwn(call, chat.key, call.caller.key, call.caller.sessionKey, { messageKeys: [] });
    return chat.key;
  },
  currentView,
);

async function nextState(
  call: UnitCall,
  chat: OwnChatRow,
  { is_pinned, is_archived, is_marked_unread, folder_id }: Input<'setChatState'>,
): Promise<ChatState> {
  let { pin_order, archived_key } = chat;
  if (is_pinned === false) pin_order = null;
  if (is_archived === false) archived_key = null;
  if (is_pinned === true) {
    pin_order ??= await topPin(call);
    archived_key = null;
  }
  if (is_archived === true) {
    archived_key = await newestMessageKey(call.tx, chat.key, call.caller.key);
    pin_order = null;
  }
  return {
    pin_order,
    archived_key,
    is_marked_unread: is_marked_unread === undefined ? chat.is_marked_unread : Number(is_marked_unread),
    folder_id: folder_id === undefined ? chat.folder_id : await folderFor(call, chat, folder_id),
  };
}

/** The order of a new pin, which is above all others. */
async function topPin({ tx, caller }: UnitCall): Promise<number> {
  const pins = await tx.all(pinsOfList, caller.key);
  if (pins.length >= limits.pinnedChats)
    throw invalid('is_pinned', `would be pinned conversation ${limits.pinnedChats + 1} of this account`);
  return (pins[0]?.pin_order ?? 0) + 1;
}

async function folderFor({ tx, caller }: UnitCall, chat: OwnChatRow, id: string | null): Promise<Uint8Array | null> {
  if (id === null) return null;
  const bytes = idBytes(id);
  if (!(await tx.get(folderOf, caller.key, bytes))) throw notFound('folder');
  if (chat.folder_id && Buffer.compare(chat.folder_id, bytes) === 0) return chat.folder_id;
  const { count } = (await tx.get(countInFolder, caller.key, bytes)) ?? { count: 0 };
  if (count >= limits.chatsPerFolder)
    throw invalid('folder_id', `would have conversation ${limits.chatsPerFolder + 1}`);
  return bytes;
}
