import { ofCaller } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { requireChat, setMute } from '../../store/chats.ts';
import { announceMute } from '../../conversations/announce.ts';
import { currentView } from '../../conversations/current-view.ts';

export default unitThen(
  'setChatNotifications',
  { locks: ofCaller },
  async (call, { chat_id, is_muted, mute_for }) => {
    const { tx, caller, now } = call;
    const chat = await requireChat(call, chat_id);
    const until = is_muted && mute_for !== undefined ? now + mute_for * 1000 : null;
    await tx.run(setMute, chat.key, caller.key, Number(is_muted), until);
    if (Number(is_muted) !== chat.is_muted || until !== chat.muted_until) await announceMute(call, chat.key);
    return chat.key;
  },
  currentView,
);
