import { statement } from './sql.ts';

/** Pins a message, or moves its pin to the front. */
export const pin = statement<never, [chat: number, message: number]>(
  `INSERT INTO pins (chat_key, message_key, ordinal)
   VALUES ($1, $2, 1 + coalesce((SELECT max(ordinal) FROM pins WHERE chat_key = $1), 0))
   ON CONFLICT (chat_key, message_key) DO UPDATE SET ordinal = excluded.ordinal`,
);
export const unpin = statement<never, [chat: number, message: number]>(
  'DELETE FROM pins WHERE chat_key = $1 AND message_key = $2',
);
export const unpinAll = statement<never, [chat: number]>('DELETE FROM pins WHERE chat_key = $1');
export const countOtherPins = statement<{ count: number }, [chat: number, message: number]>(
  'SELECT count(*) AS count FROM pins WHERE chat_key = $1 AND message_key <> $2',
);
/** The pinned messages of one channel, newest pin first. */
export const pinsOfChannel = statement<{ key: number; id: Uint8Array }, [chat: number, channel: number]>(
  `SELECT m.key, m.id FROM pins p JOIN messages m ON m.key = p.message_key
   WHERE p.chat_key = $1 AND m.channel_key = $2 ORDER BY p.ordinal DESC`,
);
export const pinnedIds = statement<{ id: Uint8Array }, [chat: number]>(
  `SELECT m.id FROM pins p JOIN messages m ON m.key = p.message_key WHERE p.chat_key = $1 ORDER BY p.ordinal DESC`,
);
