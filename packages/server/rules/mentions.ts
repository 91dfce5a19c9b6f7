// Whom a message mentions. The time is linear in the text, for any text (MENTION-12).

import { mentionAt, mentionedIn } from '@parley/markdown';

const noGroups: ReadonlyMap<string, readonly string[]> = new Map();

/**
 * The candidates (usernames, in lower case) that the text mentions, in order of first appearance; where it mentions one of
 * the `groups`, its people follow in its place. `known` are all names that it mentions, if it was read before.
 */
export function findMentions(
  text: string,
  candidates: readonly string[],
  known?: readonly string[],
  groups: ReadonlyMap<string, readonly string[]> = noGroups,
): string[] {
  const usernames = new Set(candidates);
  // Most texts name no candidate at all. To see that takes much less time than to read their Markdown.
  if (!known && ![...namesIn(text)].some((name) => usernames.has(name) || groups.has(name))) return [];
  const mentioned = (known ?? [...mentionedIn(text)]).flatMap((name) =>
    usernames.has(name) ? [name] : (groups.get(name) ?? []),
  );
  return [...new Set(mentioned)];
}

/** All names in lower case that stand after an `@`, also in code, tags and addresses. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const name = mentionAt(text, at)?.toLowerCase();
    if (name !== undefined) names.add(name);
  }
  return names;
}
