import { inChat } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { requireChat } from '../../access/chats.ts';
import { unpin, unpinAll } from '../../store/pins.ts';
import { currentView } from '../../conversations/current-view.ts';
import { assertMayPin, emitPinned, requireMessageOf } from '../../messages/pinning.ts';

export default unitThen(
  'unpinMessage',
  { locks: inChat, addsData: false },
  async (call, input) => {
    const chat = await requireChat(call, input.chat_id);
    const row = input.message_id === undefined ? undefined : await requireMessageOf(call, chat, input.message_id);
    await assertMayPin(call, chat);
    const gone = row ? await call.tx.run(unpin, chat.key, row.key) : await call.tx.run(unpinAll, chat.key);
    // The interface's table: "any pins", so also none (PIN-3).
    if (gone > 0 || !row) emitPinned(call, chat, input.chat_id, input.message_id ?? null, false);
    return chat.key;
  },
  currentView,
);
