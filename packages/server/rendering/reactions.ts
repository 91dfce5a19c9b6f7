import { limits, type Message } from '@parley/protocol';
import { countsOf, firstReactions, firstReactors } from '../store/reactions.ts';
import type { Sql } from '../store/sql.ts';

/** Reactions by emoji, in the order of first use, each with its first reactors (MSG-15). */
export async function shownReactions(tx: Sql, messageKey: number): Promise<Message['reactions']> {
  const first = await tx.all(firstReactions, messageKey, limits.shownReactors + 1);
  if (first.length > limits.shownReactors) return reactionsOfCrowd(tx, messageKey);
  const groups = new Map<string, Message['reactions'][number]>();
  for (const { emoji, username, kind, display_name } of first) {
    let group = groups.get(emoji);
    if (!group) groups.set(emoji, (group = { emoji, count: 0, reactors: [] }));
    group.count += 1;
    group.reactors.push({ username, kind, display_name });
  }
  return [...groups.values()];
}

/** If there are more reactions than are shown, reads only the counts and the reactors that are shown. */
async function reactionsOfCrowd(tx: Sql, messageKey: number): Promise<Message['reactions']> {
  const groups: Message['reactions'] = [];
  for (const { emoji, count } of await tx.all(countsOf, messageKey)) {
    const reactors = await tx.all(firstReactors, messageKey, emoji, limits.shownReactors);
    // If all reactors were read, count them: a reaction between the two reads could make the read count differ.
    const isCut = reactors.length === limits.shownReactors;
    if (reactors.length > 0) groups.push({ emoji, count: isCut ? count : reactors.length, reactors });
  }
  return groups;
}
