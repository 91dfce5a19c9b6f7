import type { Actor, ToolCall, ToolStatus } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { type Loaded, useLoaded } from '../../calls/use-loaded.ts';
import { type Submit, useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';

interface Page {
  readonly items: readonly ToolCall[];
  readonly next: string | undefined;
}

export interface Calls {
  readonly loaded: Loaded<Page>;
  /** The agents of all calls that were loaded, whatever was filtered. */
  readonly agents: readonly Actor[];
  readonly more: Submit;
  readonly showMore: (cursor: string) => void;
}

/** The calls of a status and an agent, newest first, page by page; empty: of all. */
export function useCalls(status: ToolStatus | '', agent: string): Calls {
  const { client } = useSession();
  const [agents, setAgents] = useState<readonly Actor[]>([]);
  const more = useSubmit();
  const fetchPage = useCallback(
    async (cursor?: string): Promise<Page> => {
      const { items, next_cursor: next } = await client.call('getToolCalls', {
        ...(status !== '' && { status }),
        ...(agent !== '' && { agent_username: agent }),
        ...(cursor !== undefined && { cursor }),
      });
      setAgents((before) => withAgents(before, items));
      return { items, next };
    },
    [client, status, agent],
  );
  const load = useCallback(async () => fetchPage(), [fetchPage]);
  const loaded = useLoaded(load);
  const showMore = (cursor: string) =>
    void more.submit(async () => {
      const { items, next } = await fetchPage(cursor);
      // Another filter may have been chosen meanwhile.
      loaded.change((before) => (before.next === cursor ? { items: [...before.items, ...items], next } : before));
    });
  return { loaded, agents, more, showMore };
}

function withAgents(known: readonly Actor[], items: readonly ToolCall[]): readonly Actor[] {
  const all = new Map([...known, ...items.map(({ agent }) => agent)].map((agent) => [agent.username, agent]));
  return all.size === known.length ? known : [...all.values()];
}
