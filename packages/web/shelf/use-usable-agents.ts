// The page of all agents that one may use. May import: every room below app.
import { ApiError, type Client } from '@parley/client';
import type { Account, Agent } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { usePaused } from '../calls/use-paused.ts';
import { useSession } from '../session/session.ts';

const PAGE = 30;

interface Found {
  readonly query: string;
  readonly items: readonly Agent[];
  readonly next: string | undefined;
}

/** The agents that the user may use and that the typed words find, in pages. */
export function useUsableAgents(typed: string) {
  const { client, username } = useSession();
  const query = usePaused(typed.trim().replace(/^@/, '').toLowerCase());
  const page = useCallback(
    async (cursor: string | undefined, signal?: AbortSignal): Promise<Found> => {
      const search = { usable_agents: true, query, limit: PAGE, cursor };
      const { items, next_cursor } = await client.call('getUsers', search, signal && { signal });
      const agents = await Promise.all(items.map(async (account) => termsOf(client, account)));
      const able = agents.flatMap((agent) => (agent && mayAnswer(agent, username) ? [agent] : []));
      return { query, items: able, next: next_cursor };
    },
    [client, query, username],
  );
  const load = useCallback(async (signal: AbortSignal) => page(undefined, signal), [page]);
  const loaded = useLoaded(load);
  const { value, change } = loaded;
  const [isBusy, setIsBusy] = useState(false);

  async function more(): Promise<void> {
    if (!value || value.next === undefined || isBusy) return;
    setIsBusy(true);
    try {
      const next = await page(value.next);
      // Other words may have been typed meanwhile.
      change((before) => (before.query === next.query ? { ...next, items: [...before.items, ...next.items] } : before));
    } finally {
      setIsBusy(false);
    }
  }
  return { loaded, more, isBusy };
}

/** The agent with who pays for the user; null if it has become private or was deleted since it was found. */
async function termsOf(client: Client, { username }: Account): Promise<Agent | null> {
  try {
    return await client.call('getAgent', { username });
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'forbidden' || error.code === 'not_found')) return null;
    throw error;
  }
}

/** The two agents that everyone has are nothing to use before they have a key. */
const mayAnswer = ({ is_default, needs_key, parent_username }: Agent, me: string): boolean =>
  !(is_default && needs_key === true && parent_username === me);
