// Statements that read the messages of a conversation that hold media, files or links, from all its timelines.
import type { MediaKind } from '@parley/protocol';
import { isVisibleTo, type Light, lightColumns, mark, type MessageRow } from './messages.ts';
import { statement } from './sql.ts';

/** Each kind has an index whose condition is the first line of this WHERE (migration 0035). */
const messagesWith = (kind: MediaKind, order: string) =>
  statement<Light<MessageRow>, [chat: number, account: number, key: number, limit: number]>(
    `SELECT ${lightColumns} FROM messages m WHERE m.chat_key = $1 AND (m.marks & ${mark[kind]}) <> 0
       AND (m.marks & ${mark.replaced}) = 0 AND ${isVisibleTo('$2')} AND m.key ${order} LIMIT $4`,
  );
const bothWays = (kind: MediaKind) => ({
  older: messagesWith(kind, '< $3 ORDER BY m.key DESC'),
  newer: messagesWith(kind, '> $3 ORDER BY m.key'),
});

/** The messages that the account may see, before a key, newest first, or after it, oldest first. */
export const chatMedia = { media: bothWays('media'), files: bothWays('files'), links: bothWays('links') } as const;
