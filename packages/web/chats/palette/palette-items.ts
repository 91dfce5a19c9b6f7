import type { Chat } from '@parley/client/store';
import type { Account, Participant } from '@parley/protocol';
import { NEW_CHAT } from '../chat/chat-title.ts';
import type { Hit } from './use-message-search.ts';

/** A row of the palette; `key` is unique among all rows. */
export type PaletteItem =
  | { kind: 'chat'; key: string; chat: Chat }
  | { kind: 'person'; key: string; person: Account }
  | { kind: 'message'; key: string; hit: Hit }
  | { kind: 'scope'; key: string; chat: Chat }
  | { kind: 'more'; key: string }
  | { kind: 'new agent'; key: string }
  | { kind: 'new chat'; key: string; agent: Participant };

export interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

interface Content {
  typed: string;
  /** Sorted as in the conversation list. */
  chats: readonly { chat: Chat; title: string }[];
  people: readonly Account[];
  hits: readonly Hit[];
  hasMore: boolean;
  /** The search is limited to one conversation. */
  isScoped: boolean;
  /** The open conversation, offered as a scope for the search. */
  openChat: Chat | null;
  /** The agent of the open direct chat, with which another chat is offered. */
  openAgent?: Participant | undefined;
}

/** The action's name, by which it is found. */
export const NEW_AGENT = 'New agent';

const MOST_CHATS = 6;
const MOST_PEOPLE = 5;

/** The groups of rows for the typed text; empty groups are left out. */
export function paletteGroups({ typed, chats, people, hits, hasMore, isScoped, ...open }: Content): PaletteGroup[] {
  const { openChat, openAgent } = open;
  const wanted = typed.trim().toLowerCase();
  const messages: PaletteItem[] = hits.map((hit) => ({ kind: 'message', key: `message ${hit.message.id}`, hit }));
  if (hasMore) messages.push({ kind: 'more', key: 'more' });
  const found = { title: 'Messages', items: messages };
  if (isScoped) return messages.length > 0 ? [found] : [];
  const named = chats
    .map(({ chat, title }) => ({ chat, rank: nameRank(title, wanted) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .slice(0, MOST_CHATS);
  const partners = new Set(
    named
      .flatMap(({ chat }) => (chat.kind === 'direct' && !chat.is_separate ? chat.participants : []))
      .map(({ username }) => username),
  );
  // Skip people whose direct chat is already listed.
  const others = (kind: Account['kind']): PaletteItem[] =>
    people
      .filter((person) => person.kind === kind && !partners.has(person.username))
      .slice(0, MOST_PEOPLE)
      .map((person) => ({ kind: 'person', key: `person ${person.username}`, person }));
  const isNamed = (action: string): boolean => wanted !== '' && nameRank(action, wanted) !== null;
  const actions: PaletteItem[] = [];
  if (openAgent && isNamed(NEW_CHAT)) actions.push({ kind: 'new chat', key: 'new chat', agent: openAgent });
  if (isNamed(NEW_AGENT)) actions.push({ kind: 'new agent', key: 'new agent' });
  const groups: PaletteGroup[] = [
    {
      title: wanted === '' ? 'Latest' : 'Conversations',
      items: named.map(({ chat }) => ({ kind: 'chat', key: `chat ${chat.id}`, chat })),
    },
    { title: 'People', items: others('human') },
    { title: 'Agents', items: others('agent') },
    found,
    { title: 'Actions', items: actions },
    { title: 'This conversation', items: openChat ? [{ kind: 'scope', key: 'scope', chat: openChat }] : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/**
 * The rank of a name for the typed text: 0 is the whole name, 1 its first words, 2 its beginning, 3 the beginning of any
 * word, null no match. Equal ranks keep their order.
 */
export function nameRank(title: string, wanted: string): number | null {
  const name = title.toLowerCase();
  if (wanted === '' || name === wanted) return 0;
  if (name.startsWith(wanted)) return /^[\p{L}\p{N}]/u.test(name.slice(wanted.length)) ? 2 : 1;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) ? 3 : null;
}
