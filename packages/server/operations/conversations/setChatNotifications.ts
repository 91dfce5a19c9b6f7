import type { Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { type ChannelMute, channelMute, muteChannel, unmuteChannel } from '../../store/channel-mutes.ts';
import { setArchived } from '../../store/chat-states.ts';
import { type OwnChatRow, setMute } from '../../store/chats.ts';
import { requireChannel, requireChat } from '../../access/chats.ts';
import { muteOf } from '../../rendering/conversation-view.ts';
import { newestMessageKey } from '../../store/newest-message.ts';
import { announceMute, announceRead, announceState } from '../../conversations/announce.ts';
import { currentView } from '../../conversations/current-view.ts';

// Locks the conversation too, whose newest message is read if it is archived.
const locks: LockRule<Input<'setChatNotifications'>> = ({ caller, input }) => [
  account(caller.key),
  chatAsItIs(input.chat_id),
];

export default unitThen(
  'setChatNotifications',
  { locks },
  async (call, { chat_id, channel_id, is_muted, mute_for }) => {
    const { tx, caller, now } = call;
    const chat = await requireChat(call, chat_id);
    const until = is_muted && mute_for !== undefined ? now + mute_for * 1000 : null;
    if (channel_id !== undefined) {
      const channel = await requireChannel(call, chat.key, channel_id);
      await setChannelMute(call, chat.key, channel.key, is_muted ? { muted_until: until } : undefined);
      return chat.key;
    }
    await tx.run(setMute, chat.key, caller.key, Number(is_muted), until);
    if (Number(is_muted) !== chat.is_muted || until !== chat.muted_until) await announceMute(call, chat.key);
    await keepArchived(call, chat, is_muted);
    return chat.key;
  },
  currentView,
);

/** Mutes or unmutes one channel (CONV-13). */
async function setChannelMute(
  call: UnitCall,
  chatKey: number,
  channelKey: number,
  mute: Pick<ChannelMute, 'muted_until'> | undefined,
): Promise<void> {
  const { tx, caller, now } = call;
  const before = await tx.get(channelMute, caller.key, channelKey, now);
  if (mute) await tx.run(muteChannel, caller.key, channelKey, chatKey, mute.muted_until);
  else await tx.run(unmuteChannel, caller.key, channelKey);
  if (before?.muted_until !== mute?.muted_until) await announceRead(call, chatKey);
}

/** Muting and unmuting moves a conversation neither into the archive nor out of it (CHATSTATE-5). */
async function keepArchived(call: UnitCall, chat: OwnChatRow, isMuted: boolean): Promise<void> {
  if (chat.archived_key === null || isMuted === muteOf(chat, call.now).is_muted) return;
  const newest = await newestMessageKey(call.tx, chat.key, call.caller.key);
  if (newest <= chat.archived_key) return;
  await call.tx.run(setArchived, chat.key, call.caller.key, isMuted ? null : newest);
  await announceState(call, chat.key);
}
