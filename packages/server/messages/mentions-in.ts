import { mentionedIn } from '@parley/markdown';
import { findMentions, namesIn } from '../rules/mentions.ts';
import { isNameForAll, mayMentionAll, type NameForAll } from '../rules/names-for-all.ts';
import type { TextReading } from '../rules/text-reading.ts';
import { accountByName } from '../store/accounts.ts';
import { type ChatRow, type ParticipantRow, participantsOf } from '../store/chats.ts';
import type { MessageRecord } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { mentionableOf, userGroupsNamed } from '../store/user-groups.ts';

/** Maximum names of no participant that are looked for among the groups of people, the first of a text (MENTION-14). */
const MAX_LOOKED_FOR = 50;
/** Maximum groups of people that one text mentions, the first: each has up to 1,000 people. */
const MAX_GROUPS = 10;

/** The fields of a message that say whom its text mentions. */
export type Mentioned = Pick<MessageRecord, 'mentions' | 'mentioned_groups'>;

/**
 * The participants whom a text mentions: by their names, by those of groups of people, and by `@all` and `@here` (MENTION-1,
 * MENTION-14 … MENTION-16).
 */
export async function mentionsIn(
  tx: Sql,
  { chat, senderKey, text }: { chat: Pick<ChatRow, 'key' | 'kind'>; senderKey: number; text: string },
  reading: TextReading | undefined,
): Promise<Mentioned> {
  if (!text.includes('@')) return { mentions: [] };
  const participants = await tx.all(participantsOf, chat.key);
  const usernames = new Set(participants.map(({ username }) => username));
  const isOther = (name: string): boolean => !usernames.has(name) && !name.includes(':');
  let known = reading?.mentions;
  let others = known?.filter(isOther) ?? [...namesIn(text)].filter(isOther);
  // Names in code and tags must not displace those that are mentions.
  if (!known && others.length > MAX_LOOKED_FOR) {
    known = [...mentionedIn(text)];
    others = known.filter(isOther);
  }
  const groups = new Map<string, readonly string[]>();
  if (chat.kind === 'group')
    for (const [name, people] of await peopleInGroups(tx, chat.key, others, participants)) groups.set(name, people);
  for (const name of others.filter(isNameForAll)) {
    const people = await peopleForAll(tx, name, { participants, senderKey, here: reading?.here });
    if (people) groups.set(name, people);
  }
  if (groups.size === 0) return { mentions: findMentions(text, [...usernames], known) };
  known ??= [...mentionedIn(text)];
  const named = known.filter((name) => groups.has(name));
  return {
    mentions: findMentions(text, [...usernames], known, groups),
    ...(named.length > 0 && { mentioned_groups: named }),
  };
}

/** The people of the groups that have these names, as far as they take part, by name. */
async function peopleInGroups(
  tx: Sql,
  chatKey: number,
  names: readonly string[],
  participants: readonly ParticipantRow[],
): Promise<Map<string, string[]>> {
  const people = new Map<string, string[]>();
  const looked = names.filter((name) => !isNameForAll(name)).slice(0, MAX_LOOKED_FOR);
  if (looked.length === 0) return people;
  const found = new Map((await tx.list(userGroupsNamed, looked)).map(({ name, key }) => [name, key]));
  // Most names are of no group: only groups cost more than this look-up.
  const keys = looked.flatMap((name) => found.get(name) ?? []).slice(0, MAX_GROUPS);
  if (keys.length === 0) return people;
  const usernames = new Map(participants.map(({ account_key, username }) => [account_key, username]));
  const listed = new Map<number, string[]>();
  for (const { group_key, account_key } of await tx.list(mentionableOf, keys, chatKey)) {
    const username = usernames.get(account_key);
    if (username === undefined) continue;
    const list = listed.get(group_key);
    if (list) list.push(username);
    else listed.set(group_key, [username]);
  }
  for (const [name, key] of found) {
    const list = listed.get(key);
    if (list) people.set(name, list.toSorted());
  }
  return people;
}

/** What `@all` or `@here` means in the words of a sender; undefined where it is text, or an account has that name. */
async function peopleForAll(
  tx: Sql,
  name: NameForAll,
  {
    participants,
    senderKey,
    here = [],
  }: { participants: readonly ParticipantRow[]; senderKey: number; here?: readonly string[] | undefined },
): Promise<string[] | undefined> {
  const people = participants.filter(({ kind }) => kind === 'human').map(({ username }) => username);
  const sender = participants.find(({ account_key }) => account_key === senderKey);
  if (!mayMentionAll(sender, people.length) || (await tx.get(accountByName, name))) return undefined;
  if (name === 'all') return people;
  const online = new Set(here);
  return people.filter((username) => online.has(username));
}
