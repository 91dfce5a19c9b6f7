// Inboxes of people: the messages that each of them is to look at.
import type { InboxItem } from '@parley/protocol';
import { type ReadCall, read } from '../handler.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { idBytes } from '../../core/ids.ts';
import { forbidden } from '../../core/errors.ts';
import { RawJson } from '../../core/json.ts';
import { attachmentText, contentsOf } from '../../rules/attachment-text.ts';
import { plainText } from '../../rules/plain-text.ts';
import { accountByKey } from '../../store/accounts.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { countUnreadItems, countUnreadItemsIn, inboxBefore, type InboxRow } from '../../store/inbox.ts';
import { messageByKey, recordOf, visibleStatus } from '../../store/messages.ts';
import { slicedPage } from '../sliced-page.ts';

/** Maximum UTF-16 code units of a snippet. */
const SNIPPET = 200;
/** Maximum characters of a message that are read for its snippet: marks and tags are not shown. */
const READ_OF_TEXT = 4_096;

export default read('getInbox', async (call, { limit, cursor }) => {
  const { tx, caller } = call;
  if (caller.kind !== 'human') throw forbidden('an agent has no inbox');
  const [before] = cursor === undefined ? [Number.MAX_SAFE_INTEGER] : decodeCursor('inbox', cursor, ['number']);
  const rows = await tx.all(inboxBefore, caller.key, before, limit + 1);
  const page = rows.slice(0, limit);
  const { shown, taken } = await slicedPage({
    rows: page,
    render: (row, isStale) => itemOf(call, row, isStale),
    holds: async ({ key }) => (await tx.get(visibleStatus, key, caller.key)) !== undefined,
  });
  const { chatIds } = caller.grant ?? {};
  const unread = chatIds
    ? (await tx.list(countUnreadItemsIn, chatIds.map(idBytes), caller.key))[0]
    : await tx.get(countUnreadItems, caller.key);
  const last = taken < rows.length ? page[taken - 1] : undefined;
  return {
    items: shown.map(({ part }) => part.json),
    unread_count: unread?.count ?? 0,
    next_cursor: last && encodeCursor('inbox', last.key),
  };
});

async function itemOf({ tx, caller }: ReadCall, row: InboxRow, isStale: boolean) {
  if (isStale && (await tx.get(visibleStatus, row.key, caller.key)) === undefined) return undefined;
  const stored = isStale || row.record === null ? (await tx.get(messageByKey, row.key))?.record : row.record;
  const sender = await tx.get(accountByKey, row.sender_key);
  if (stored === undefined || !sender) return undefined;
  const record = recordOf({ record: stored });
  const text = plainText(record.content.slice(0, READ_OF_TEXT), SNIPPET).replaceAll('\n', ' ');
  const item: InboxItem = {
    message_id: record.id,
    position: row.key,
    conversation_id: record.conversation_id,
    channel_id: record.channel_id,
    thread_root_id: record.thread_root_id,
    reason: row.reason,
    sender: actorOf(sender),
    snippet: beginningOf(text) || attachmentText(record.attachments),
    ...(text === '' && { contents: contentsOf(record.attachments) }),
    ...(row.reason === 'failed_reply' && { finish_reason: record.finish_reason }),
    is_unread: row.is_unread === 1,
    created_at: record.created_at,
  };
  return { json: new RawJson<InboxItem>(JSON.stringify(item)) };
}

/** The beginning of a text, never cut within a surrogate pair. */
const beginningOf = (text: string): string => text.slice(0, SNIPPET).replace(/[\uD800-\uDBFF]$/, '');
