import { limits } from '@parley/protocol';
import { inChat } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { invalid } from '../../core/errors.ts';
import { requireChat } from '../../access/chats.ts';
import { countOtherPins, pin } from '../../store/pins.ts';
import { currentView } from '../../conversations/current-view.ts';
import { assertMayPin, emitPinned, requireMessageOf } from '../../messages/pinning.ts';

// Locks the conversation, within which pins are numbered and counted.
export default unitThen(
  'pinMessage',
  { locks: inChat },
  async (call, input) => {
    const chat = await requireChat(call, input.chat_id);
    const row = await requireMessageOf(call, chat, input.message_id);
    await assertMayPin(call, chat);
    const others = (await call.tx.get(countOtherPins, chat.key, row.key))?.count ?? 0;
    if (others >= limits.pins) throw invalid('message_id', `would be pin ${limits.pins + 1} of this conversation`);
    await call.tx.run(pin, chat.key, row.key);
    emitPinned(call, chat, input.chat_id, input.message_id, true);
    return chat.key;
  },
  currentView,
);
