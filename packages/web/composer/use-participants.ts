import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { useMemo } from 'react';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { isAgent, isWebhookName } from '../words/is-webhook.ts';
import { shortNamesOf } from './short-names.ts';

export interface Participants {
  /** Those that are loaded, in a large group perhaps not all, without webhooks, which nobody can ask. */
  readonly people: readonly Participant[];
  readonly mayHaveAgents: boolean;
  /** Short names of agents. Empty unless all participants are loaded: another one could have the same. */
  readonly shortNames: ReadonlyMap<string, string>;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** The participants of a chat, for everything that the composer offers to mention. */
export function useParticipants(chat: Chat): Participants {
  const more = useCell(useStore().members(chat.id));
  const loaded = more.items.length > chat.participants.length ? more.items : chat.participants;
  const areAll = loaded.length >= chat.participant_count;
  return useMemo(() => {
    const people = loaded.filter(({ username }) => !isWebhookName(username));
    return {
      people,
      mayHaveAgents: !areAll || people.some(isAgent),
      shortNames: areAll ? shortNamesOf(people) : noNames,
    };
  }, [loaded, areAll]);
}
