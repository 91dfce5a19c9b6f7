import type { Client } from '@parley/client';
import type { UserGroup } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';

/** How long an answer is kept: the list is asked for while somebody types a name. */
const KEPT_MS = 60_000;

const none: readonly UserGroup[] = [];
const answersOf = new WeakMap<Client, { at: number; answer: Promise<readonly UserGroup[]> }>();

function ask(client: Client): Promise<readonly UserGroup[]> {
  const known = answersOf.get(client);
  if (known && performance.now() - known.at < KEPT_MS) return known.answer;
  const answer = client.call('getUserGroups').then(
    ({ items }) => items,
    // A guest, or offline: there are no suggestions.
    () => none,
  );
  answersOf.set(client, { at: performance.now(), answer });
  return answer;
}

/** The groups of people, once they are wanted. */
export function useUserGroups(isWanted: boolean): readonly UserGroup[] {
  const { client, may } = useSession();
  const [groups, setGroups] = useState(none);
  const isAsked = isWanted && may('getUserGroups');
  useEffect(() => {
    if (!isAsked) return undefined;
    let isCurrent = true;
    void ask(client).then((found) => isCurrent && setGroups(found));
    return () => {
      isCurrent = false;
    };
  }, [client, isAsked]);
  return groups;
}
