import { useEffect, useReducer } from 'react';
import { useStore } from '../../session/session.ts';

/** Renders again when any of these conversations changes, also in what the list of conversations does not look at. */
export function useEveryChange(ids: readonly string[]): void {
  const store = useStore();
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = ids.map((id) => store.chat(id).subscribe(renderAgain));
    return () => {
      for (const stop of stops) stop();
    };
  }, [store, ids]);
}
