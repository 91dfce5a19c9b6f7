// Pages of lists for a token with `chat_ids` (ACCESS-8). A page that is short because something was left out, or a cursor
// that stands at what was left out, would tell that there is something: so pages are filled, and their cursors stand at the
// last record that was returned.
import type { OperationName } from '@parley/protocol';
import type { Sql } from '../store/sql.ts';
import { answerWithin, chatOf, fieldsOf, outsideOf } from './chat-limited-answers.ts';

/** Maximum number of further pages that are read for one answer. */
const MORE_PAGES = 20;
/** Records in each of them. */
const FURTHER_LIMIT = 200;

/** Searches leave out other conversations themselves, so that these do not even cost time. */
export const leavesOut: ReadonlySet<OperationName> = new Set(['searchMessages', 'searchChats']);

interface Page {
  items: unknown[];
  next_cursor?: string;
}
const pageOf = (answer: unknown): Page | undefined =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
    ? (answer as Page) // of a result with items, next_cursor is a string if it is there
    : undefined;

/** Whether a record is of a conversation; lists of accounts and the like have none. */
const isOfChat = (item: unknown): boolean => {
  const fields = fieldsOf(item);
  return fields !== undefined && (chatOf(fields) !== undefined || isOfChat(fields['message']));
};

/** How to read the same list from a cursor; without one from its beginning. */
type ReadFrom = (cursor: string | undefined, limit: number) => Promise<string | undefined>;

interface AskedList {
  /** The list is of one conversation, or its handler has left out the others itself. */
  isWithin: boolean;
  limit: number;
  readFrom: ReadFrom;
}

/** The answer for a token with `chat_ids`: as if there were no other conversations. */
export async function pageWithin(
  read: Sql,
  chatIds: ReadonlySet<string>,
  text: string,
  { isWithin, limit, readFrom }: AskedList,
): Promise<string> {
  const given: unknown = JSON.parse(text);
  const answer = await answerWithin(read, chatIds, given);
  const first = pageOf(given);
  if (isWithin || !first?.items.some(isOfChat)) return JSON.stringify(answer);
  const { next_cursor: _first, ...fields } = answer as object & { next_cursor?: string };
  const found: unknown[] = [];
  let cursor: string | undefined;
  let page: Page = first;
  for (let more = MORE_PAGES; ; more -= 1) {
    const isOutside = await outsideOf(read, chatIds, page.items);
    for (const [at, item] of page.items.entries()) {
      if (isOutside(item)) continue;
      if (found.length < limit) {
        found.push(item);
        continue;
      }
      // There is one more than asked for: the next page begins behind the last one of this page.
      const lastAt = page.items.slice(0, at).findLastIndex((before) => !isOutside(before));
      const next = lastAt < 0 ? cursor : await cursorBehind(readFrom, { cursor, lastAt, most: page.items.length });
      return JSON.stringify({ ...fields, items: await within(found), next_cursor: next });
    }
    if (page.next_cursor === undefined) return JSON.stringify({ ...fields, items: await within(found) });
    if (more === 0) return JSON.stringify({ ...fields, items: await within(found), next_cursor: page.next_cursor });
    cursor = page.next_cursor;
    const next = pageOf(JSON.parse((await readFrom(cursor, FURTHER_LIMIT)) ?? '{}'));
    if (!next) return JSON.stringify({ ...fields, items: await within(found) });
    page = next;
  }

  /** Without what the records themselves hold of other conversations. */
  function within(items: unknown[]): Promise<unknown> {
    return answerWithin(read, chatIds, items);
  }
}

/** The cursor behind a record of a page. Rows that are shown no more count towards a limit, but are no record. */
async function cursorBehind(
  readFrom: ReadFrom,
  { cursor, lastAt, most }: { cursor: string | undefined; lastAt: number; most: number },
): Promise<string | undefined> {
  for (let limit = lastAt + 1; limit <= most + 1; limit += 1) {
    const page = pageOf(JSON.parse((await readFrom(cursor, limit)) ?? '{}'));
    if (!page || page.items.length > lastAt || page.next_cursor === undefined) return page?.next_cursor;
  }
  return undefined;
}
