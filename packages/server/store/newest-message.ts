import { isKeptBy } from './chat-states.ts';
import { messageByKey, type MessageRow } from './messages.ts';
import { type Sql, statement } from './sql.ts';

// Selects only keys: a record may have a megabyte, and only one is needed in the end.
const newestKey = (channel: string, thread: string): string =>
  `SELECT m.key FROM messages m WHERE m.chat_key = $1 AND m.channel_key = ${channel} AND m.thread_key = ${thread}
     AND m.deleted_at IS NULL AND ${isKeptBy('$2', '$1')} ORDER BY m.key DESC LIMIT 1`;

export interface ChannelNewest {
  /** 0 for #all. */
  channel_key: number;
  /** The newest message that the account may see; 0 if there is none. */
  newest_key: number;
}

/** The newest message of each timeline that is not a thread: the channels, newest first, and then #all. */
export const newestByChannel = statement<ChannelNewest, [chat: number, account: number]>(
  `SELECT c.channel_key, coalesce((${newestKey('c.channel_key', '0')}), 0) AS newest_key
   FROM (SELECT 0 AS channel_key UNION ALL SELECT key FROM channels WHERE chat_key = $1 AND deleted_at IS NULL) c
   ORDER BY c.channel_key DESC`,
);
const newestInThread = statement<{ key: number }, [chat: number, account: number, channel: number, root: number]>(
  newestKey('$3', '$4'),
);
/** SQL: the channel of `threads t` exists. */
export const isChannelThere = `(t.channel_key = 0
  OR EXISTS (SELECT 1 FROM channels c WHERE c.key = t.channel_key AND c.deleted_at IS NULL))`;
const threadsBehind = statement<
  { root_key: number; channel_key: number; last_key: number },
  [chat: number, after: number, before: number, limit: number]
>(
  `SELECT t.root_key, t.channel_key, t.last_key FROM threads t
   WHERE t.chat_key = $1 AND t.last_key > $2 AND t.last_key < $3 AND ${isChannelThere} ORDER BY t.last_key DESC LIMIT $4`,
);
const THREADS_AT_ONCE = 8;
/** A key that no account has, so no message is hidden for it. */
const NO_ACCOUNT = 0;

/** The newest message of all timelines that the account may see (CONV-11). */
export async function newestMessage(
  tx: Sql,
  chatKey: number,
  accountKey: number,
  channels: readonly ChannelNewest[],
): Promise<MessageRow | undefined> {
  for (let among = channels; ; among = await tx.all(newestByChannel, chatKey, accountKey)) {
    const key = await newestOf(tx, chatKey, accountKey, among);
    const row = key === 0 ? undefined : await tx.get(messageByKey, key);
    // Read again if the message was deleted between the two reads.
    if (!row || row.deleted_at === null) return row;
  }
}

/**
 * The newest message of all timelines, even if some accounts have hidden it; 0 if there is none. A private one counts if
 * it exists for the reader (DECIDE-9).
 */
export async function newestMessageKey(tx: Sql, chatKey: number, readerKey: number = NO_ACCOUNT): Promise<number> {
  let newest = 0;
  for (const key of new Set([NO_ACCOUNT, readerKey]))
    newest = Math.max(newest, await newestOf(tx, chatKey, key, await tx.all(newestByChannel, chatKey, key)));
  return newest;
}

async function newestOf(
  tx: Sql,
  chatKey: number,
  accountKey: number,
  channels: readonly ChannelNewest[],
): Promise<number> {
  let newest = Math.max(0, ...channels.map(({ newest_key }) => newest_key));
  // Threads with a newer reply, newest first: the remaining threads cannot contain a newer message.
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const threads = await tx.all(threadsBehind, chatKey, newest, before, THREADS_AT_ONCE);
    for (const { root_key, channel_key } of threads)
      newest = Math.max(newest, (await tx.get(newestInThread, chatKey, accountKey, channel_key, root_key))?.key ?? 0);
    const last = threads.at(-1);
    if (!last || threads.length < THREADS_AT_ONCE) return newest;
    before = last.last_key;
  }
}
