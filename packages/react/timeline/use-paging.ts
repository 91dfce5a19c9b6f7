import type { Timeline } from '@parley/client/store';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useState } from 'react';
import { useCell } from '../use-cell.ts';
import type { Goal } from './use-opening.ts';

/** Number of rows from either end at which the next page loads. */
const EDGE_ROWS = 20;
const SETTLED_AFTER_MS = 150;

interface Paging {
  /** Loading the needed page failed. */
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** Loads the page the user scrolls towards. A failed page is retried after reconnecting, or by `retry`. */
export function usePaging(timeline: Timeline, goal: Goal | null, range: Virtualizer<never, never>['range']): Paging {
  const { rows: ids, isLoaded, hasOlder, hasNewer, loading, error } = useCell(timeline);
  // Load no page while the list moves: it would shift the row indices.
  const [settled, setSettled] = useState<Goal | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(goal), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [goal]);

  const isStill = isLoaded && goal !== null && settled === goal;
  const isNearTop = hasOlder && (range?.startIndex ?? 0) < EDGE_ROWS;
  const isNearEnd = hasNewer && (range?.endIndex ?? 0) > ids.length - EDGE_ROWS;
  const wanted = !isStill ? null : isNearTop ? 'older' : isNearEnd ? 'newer' : null;
  const load = useCallback(() => {
    if (wanted === 'older') void timeline.loadOlder();
    else if (wanted === 'newer') void timeline.loadNewer();
  }, [timeline, wanted]);
  const isFree = loading === null && error === null;
  useEffect(() => {
    if (isFree) load();
    // Check again after each page.
  }, [isFree, load, ids.length]);
  return { hasFailed: error !== null && wanted !== null, retry: load };
}
