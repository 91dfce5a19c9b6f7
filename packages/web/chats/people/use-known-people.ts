import type { Account } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { partnerOf } from '../chat/chat-title.ts';

export type Person = Pick<Account, 'username' | 'kind' | 'display_name' | 'avatar_url' | 'parent_username'>;

/** The partners of the user's direct chats, most recent first. */
export function usePartners(): readonly Person[] {
  const { store, username } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []).filter(({ kind }) => kind === 'direct');
  const partners = new Map<string, Person>();
  for (const chat of chats) {
    const partner = partnerOf(chat, username);
    // An agent may be in several chats.
    if (partner && partner.username !== username && !partners.has(partner.username))
      partners.set(partner.username, partner);
  }
  return [...partners.values()];
}

/** Whether the account is an agent of `me`: its username starts with the owner's. */
export const isOwnAgent = ({ kind, username }: Pick<Person, 'kind' | 'username'>, me: string): boolean =>
  kind === 'agent' && username.startsWith(`${me}:`);

/** The user's own agents. */
export function useOwnAgents(): readonly Person[] {
  const { client, username } = useSession();
  const load = useCallback(async () => (await client.call('getMyAgents')).items, [client]);
  const { value = [] } = useLoaded(load);
  return value.map((agent) => ({ ...agent, kind: 'agent', parent_username: username }));
}
