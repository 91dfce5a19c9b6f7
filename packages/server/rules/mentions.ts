// Whom a message mentions. The time is linear in the text, for any text (MENTION-12).

import { mentionAt, mentionedIn } from '@parley/markdown';

/**
 * The candidates (usernames, in lower case) that the text mentions, in order of first appearance. `known` are all that it
 * mentions, if it was read before.
 */
export function findMentions(text: string, candidates: readonly string[], known?: readonly string[]): string[] {
  const usernames = new Set(candidates);
  // Most texts name no candidate at all. To see that takes much less time than to read their Markdown.
  if (!isAnyNamed(text, usernames)) return [];
  return (known ?? [...mentionedIn(text)]).filter((username) => usernames.has(username));
}

/** Whether a candidate is named anywhere, also in code, tags and addresses. */
function isAnyNamed(text: string, usernames: ReadonlySet<string>): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const username = mentionAt(text, at)?.toLowerCase();
    if (username !== undefined && usernames.has(username)) return true;
  }
  return false;
}
