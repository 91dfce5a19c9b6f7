import type { Chat } from '@parley/client/store';
import { hasCome } from '@parley/protocol/dates';

type Channel = Chat['channels'][number];

/** Whether a channel is muted at this time: no event says that the end of a mute has come (CONV-13). */
export const isChannelMuted = (
  { is_muted, muted_until }: Pick<Channel, 'is_muted' | 'muted_until'>,
  now = Date.now(),
) => is_muted === true && (muted_until === undefined || !hasCome(Date.parse(muted_until), now));

/** The unread messages of a conversation that are not in muted channels. */
export const loudUnread = ({ unread_count, channels }: Pick<Chat, 'unread_count' | 'channels'>): number =>
  channels.reduce(
    (left, channel) => (isChannelMuted(channel) ? Math.max(0, left - channel.unread_count) : left),
    unread_count,
  );
