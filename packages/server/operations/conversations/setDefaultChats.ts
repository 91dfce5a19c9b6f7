import { everything } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { defaultChats, endDefaults, makeDefault, publicChatById } from '../../store/public-chats.ts';
import { changingUnit } from '../handler.ts';

/** Replaces the list (PUBLIC-9). Locks everything: it writes rows of conversations that the input need not name. */
export default changingUnit(
  'setDefaultChats',
  { locks: everything, audit: ({ chat_ids }) => ({ details: { chat_ids } }) },
  async ({ tx }, { chat_ids }) => {
    const keys = new Set<number>();
    for (const id of chat_ids) {
      const chat = await tx.get(publicChatById, idBytes(id));
      if (!chat) throw notFound('conversation');
      keys.add(chat.key);
    }
    const former = new Set((await tx.all(defaultChats)).map(({ key }) => key));
    if (former.symmetricDifference(keys).size === 0) return false;
    await tx.run(endDefaults);
    for (const key of keys) await tx.run(makeDefault, key);
    return true;
  },
);
