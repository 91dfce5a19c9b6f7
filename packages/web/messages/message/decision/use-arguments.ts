import type { StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { useCallback } from 'react';
import { type Loaded, useLoaded } from '../../../calls/use-loaded.ts';
import { useSession } from '../../../session/session.ts';

export type DecisionCall = NonNullable<Decision['call']>;
type Arguments = DecisionCall['arguments'];

/** The arguments of the reader's own call, which are in no event: fetched if the message came by one. */
export function useArguments({ id }: StoredMessage, call: DecisionCall, isAsker: boolean): Loaded<Arguments | null> {
  const { client } = useSession();
  const known = call.arguments;
  const load = useCallback(async () => {
    if (known !== undefined || !isAsker) return known ?? null;
    const { items } = await client.call('getMessages', { message_ids: [id] });
    return items[0]?.decision?.call?.arguments ?? null;
  }, [client, id, known, isAsker]);
  return useLoaded<Arguments | null>(load);
}
