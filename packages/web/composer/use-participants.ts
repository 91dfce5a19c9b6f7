import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { useMemo } from 'react';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { shortNamesOf } from './short-names.ts';

export interface Participants {
  /** Those that are loaded: in a large group perhaps not all. */
  readonly people: readonly Participant[];
  readonly mayHaveAgents: boolean;
  /** Short names of agents. Empty unless all participants are loaded: another one could have the same. */
  readonly shortNames: ReadonlyMap<string, string>;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** The participants of a chat, for everything that the composer offers to mention. */
export function useParticipants(chat: Chat): Participants {
  const more = useCell(useStore().members(chat.id));
  const people = more.items.length > chat.participants.length ? more.items : chat.participants;
  const areAll = people.length >= chat.participant_count;
  return useMemo(
    () => ({
      people,
      mayHaveAgents: !areAll || people.some(({ kind }) => kind === 'agent'),
      shortNames: areAll ? shortNamesOf(people) : noNames,
    }),
    [people, areAll],
  );
}
