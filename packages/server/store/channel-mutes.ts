import { statement } from './sql.ts';

/** SQL: the account has muted the channel at this time; never true of #all, whose key is 0. */
export const isChannelMuted = (account: string, channel: string, now: string): string =>
  `EXISTS (SELECT 1 FROM channel_mutes q WHERE q.account_key = ${account} AND q.channel_key = ${channel}
     AND (q.muted_until IS NULL OR q.muted_until > ${now}))`;

export interface ChannelMute {
  channel_key: number;
  /** Null: until it is unmuted. */
  muted_until: number | null;
}

/** The channels of a conversation that the account has muted at this time. */
export const channelMutes = statement<ChannelMute, [account: number, chat: number, now: number]>(
  `SELECT channel_key, muted_until FROM channel_mutes
   WHERE account_key = $1 AND chat_key = $2 AND (muted_until IS NULL OR muted_until > $3)`,
);
export const channelMute = statement<ChannelMute, [account: number, channel: number, now: number]>(
  `SELECT channel_key, muted_until FROM channel_mutes
   WHERE account_key = $1 AND channel_key = $2 AND (muted_until IS NULL OR muted_until > $3)`,
);
export const muteChannel = statement<never, [account: number, channel: number, chat: number, until: number | null]>(
  `INSERT INTO channel_mutes (account_key, channel_key, chat_key, muted_until) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key, channel_key) DO UPDATE SET muted_until = excluded.muted_until`,
);
/** Ends a mute. Rows are deleted with their channel, and when their account leaves. */
export const unmuteChannel = statement<never, [account: number, channel: number]>(
  'UPDATE channel_mutes SET muted_until = 0 WHERE account_key = $1 AND channel_key = $2',
);
export const unmuteChannelsIn = statement<never, [account: number, chat: number]>(
  'DELETE FROM channel_mutes WHERE account_key = $1 AND chat_key = $2',
);
/** The channel is deleted. */
export const unmuteForAll = statement<never, [channel: number]>('DELETE FROM channel_mutes WHERE channel_key = $1');
