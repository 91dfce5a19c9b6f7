import type { Chat } from '@parley/client/store';
import { bestRank, nameRanker } from '@parley/protocol/name-rank';
import { type Person, usePartners } from '../people/use-known-people.ts';
import { usePeopleSearch } from '../people/use-people-search.ts';

const MOST = 8;

interface Senders {
  /** The best match first; among equal ones the participants, then the partners of direct chats. */
  readonly people: readonly Person[];
  readonly isLoading: boolean;
  readonly error: string | null;
  readonly reload: () => void;
}

/** The accounts whose name a typed `from:` begins: those of the conversation, known ones, and those that getUsers finds. */
export function useSenders(typed: string, chat: Chat | null): Senders {
  const partners = usePartners();
  const { value, error, reload, isLate } = usePeopleSearch(typed);
  const rankOf = nameRanker(typed);
  const all = new Map<string, Person>();
  for (const person of [...(chat?.participants ?? []), ...partners, ...(typed === '' ? [] : (value ?? []))])
    if (!all.has(person.username)) all.set(person.username, person);
  const people = [...all.values()]
    .flatMap((person) => {
      const rank = bestRank(rankOf, [person.display_name, person.username]);
      return rank === null ? [] : { person, rank };
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST)
    .map(({ person }) => person);
  const isLoading = typed !== '' && error === null && (isLate || value === undefined);
  return { people, isLoading, error: typed === '' ? null : error, reload };
}
