import type { Sql } from '../store/sql.ts';
import { answerWithin } from './chat-limited-answers.ts';

/** Maximum number of further pages that are read for one answer, from which other conversations were left out. */
const MORE_PAGES = 20;

interface Page {
  items: unknown[];
  next_cursor?: string;
}
const pageOf = (answer: unknown): Page | undefined =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
    ? (answer as Page) // of a result with items, next_cursor is a string if it is there
    : undefined;

/**
 * The answer for a token with `chat_ids`. If what was left out has emptied a page, `readOn` reads the following ones, so
 * that a client which stops at an empty page has not missed anything.
 */
export async function pageWithin(
  read: Sql,
  chatIds: ReadonlySet<string>,
  text: string,
  readOn: (cursor: string) => Promise<string | undefined>,
): Promise<string> {
  let answer = await answerWithin(read, chatIds, JSON.parse(text));
  for (let more = MORE_PAGES; more > 0; more -= 1) {
    const page = pageOf(answer);
    if (!page || page.items.length > 0 || page.next_cursor === undefined) break;
    const next = await readOn(page.next_cursor);
    if (next === undefined) break;
    answer = await answerWithin(read, chatIds, JSON.parse(next));
  }
  return JSON.stringify(answer);
}
