import type { Chat } from '@parley/client/store';
import type { Account } from '@parley/protocol';
import { bestRank, nameRanker } from '@parley/protocol/name-rank';
import type { Person } from '../people/use-known-people.ts';
import type { PaletteCommand } from './palette-commands.ts';
import type { Hit } from './use-message-search.ts';
import { t } from '../../words/t.ts';

/** A row of the palette; `key` is unique among all rows. */
export type PaletteItem =
  | { kind: 'chat'; key: string; chat: Chat }
  | { kind: 'person'; key: string; person: Account }
  | { kind: 'command'; key: string; command: PaletteCommand }
  | { kind: 'message'; key: string; hit: Hit }
  | { kind: 'sender'; key: string; person: Person }
  | { kind: 'more'; key: string };

export interface PaletteGroup {
  title: string;
  items: readonly PaletteItem[];
}

interface Content {
  typed: string;
  /** Those that match, the best match first. */
  chats: readonly Chat[];
  people: readonly Account[];
  /** What can be done here. */
  commands: readonly PaletteCommand[];
  hits: readonly Hit[];
  hasMore: boolean;
  /** The search has a filter, which applies to messages only. */
  isFiltered: boolean;
  /** Who may follow a `from:` that is being typed; null if no filter is. */
  senders: readonly Person[] | null;
}

const MAX_PEOPLE = 5;
const MAX_COMMANDS = 5;

/** The groups of rows for the typed text; empty groups are left out. */
export function paletteGroups({ typed, chats, people, commands, hits, ...rest }: Content): PaletteGroup[] {
  const { hasMore, isFiltered, senders } = rest;
  if (senders) {
    const items: PaletteItem[] = senders.map((person) => ({
      kind: 'sender',
      key: `sender ${person.username}`,
      person,
    }));
    return items.length > 0 ? [{ title: t('From'), items }] : [];
  }
  const messages: PaletteItem[] = hits.map((hit) => ({ kind: 'message', key: `message ${hit.message.id}`, hit }));
  if (hasMore) messages.push({ kind: 'more', key: 'more' });
  const isFile = (item: PaletteItem): boolean => item.kind === 'message' && item.hit.file_id !== undefined;
  const found = [
    { title: t('Messages'), items: messages.filter((item) => !isFile(item)) },
    { title: t('Files'), items: messages.filter(isFile) },
  ];
  if (isFiltered) return found.filter(({ items }) => items.length > 0);
  const partners = new Set(
    chats
      .flatMap((chat) => (chat.kind === 'direct' && !chat.is_separate ? chat.participants : []))
      .map(({ username }) => username),
  );
  // Skip people whose direct chat is already listed.
  const others = (kind: Account['kind']): PaletteItem[] =>
    people
      .filter((person) => person.kind === kind && !partners.has(person.username))
      .slice(0, MAX_PEOPLE)
      .map((person) => ({ kind: 'person', key: `person ${person.username}`, person }));
  const groups: PaletteGroup[] = [
    {
      title: typed.trim() === '' ? t('Latest') : t('Conversations'),
      items: chats.map((chat) => ({ kind: 'chat', key: `chat ${chat.id}`, chat })),
    },
    { title: t('People'), items: others('human') },
    { title: t('Agents'), items: others('agent') },
    { title: t('Actions'), items: namedCommands(commands, typed) },
    { title: t('Settings'), items: namedCommands(commands, typed, 'settings') },
    ...found,
    { title: t('Help'), items: namedCommands(commands, typed, 'help') },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** The commands whose title, or title and further words, match the typed text; none without a text. */
function namedCommands(
  commands: readonly PaletteCommand[],
  typed: string,
  group?: PaletteCommand['group'],
): PaletteItem[] {
  if (typed.trim() === '') return [];
  const rankOf = nameRanker(typed);
  return commands
    .filter((command) => command.group === group)
    .flatMap((command) => {
      const rank = bestRank(rankOf, [command.title, `${command.title} ${command.words}`]);
      return rank === null ? [] : { command, rank };
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MAX_COMMANDS)
    .map(({ command }) => ({ kind: 'command', key: `command ${command.id}`, command }));
}
