import { limits } from '@parley/protocol';
import type { Message } from '@parley/protocol';
import type { ReadCall } from '../../call.ts';
import type { RawJson } from '../../json.ts';
import { lightColumns, messageJson, type MessageRow, wholeMessage } from '../../store/messages.ts';
import { statement } from '../../store/sql.ts';

type Params = [chat: number, channel: number, thread: number, account: number, key: number, limit: number];

const visible = `SELECT ${lightColumns} FROM messages m
  WHERE m.chat_key = $1 AND m.channel_key = $2 AND m.thread_key = $3 AND m.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM hidden h WHERE h.account_key = $4 AND h.message_key = m.key)`;

/** What the account may see of a timeline before a key, newest first. */
export const visibleBefore = statement<MessageRow, Params>(`${visible} AND m.key < $5 ORDER BY m.key DESC LIMIT $6`);
/** … from a key on, oldest first. */
export const visibleFrom = statement<MessageRow, Params>(`${visible} AND m.key >= $5 ORDER BY m.key LIMIT $6`);

/** Messages as JSON, in the given order, until the page has 1 MiB; at least one (HIST-6). */
export async function renderPage(
  call: ReadCall,
  rows: readonly MessageRow[],
): Promise<{ messages: RawJson<Message>[]; shown: MessageRow[] }> {
  const messages: RawJson<Message>[] = [];
  let size = 0;
  for (const row of rows) {
    const message = await messageJson(call.tx, await wholeMessage(call.tx, row), call.service.texts);
    size += message.text.length < limits.pageBytes / 3 ? message.text.length : Buffer.byteLength(message.text);
    if (size > limits.pageBytes && messages.length > 0) break;
    messages.push(message);
  }
  return { messages, shown: rows.slice(0, messages.length) };
}
