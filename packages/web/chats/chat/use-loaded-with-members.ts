import type { Chat } from '@parley/client/store';
import { useEffect, useRef } from 'react';
import { type Loaded, useLoaded } from '../../calls/use-loaded.ts';

/** The result of an operation about a group; it is loaded again when accounts have joined or left. */
export function useLoadedWithMembers<Value>(
  { participant_count: count }: Chat,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const loaded = useLoaded(load);
  const { reload } = loaded;
  const loadedFor = useRef(count);
  useEffect(() => {
    if (loadedFor.current === count) return;
    loadedFor.current = count;
    reload();
  }, [count, reload]);
  return loaded;
}
