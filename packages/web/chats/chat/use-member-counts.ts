import type { Chat } from '@parley/client/store';
import { useCallback } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { isAgent } from '../../words/is-webhook.ts';
import type { MemberCounts } from './member-counts.ts';

/** How many people and agents are in a group; null while unknown. */
export function useMemberCounts({
  id,
  participants,
  participant_count: all,
  people_count: people,
}: Chat): MemberCounts | null {
  const { client } = useSession();
  // A large group is loaded with only its first participants.
  const isWhole = participants.length >= all;
  const load = useCallback(
    async () => (isWhole ? null : { all, agents: (await client.call('getGroupAgents', { chat_id: id })).items.length }),
    [client, id, isWhole, all],
  );
  const { value } = useLoaded(load);
  const agents = isWhole ? participants.filter(isAgent).length : value?.agents;
  return agents === undefined ? null : { people, agents };
}
