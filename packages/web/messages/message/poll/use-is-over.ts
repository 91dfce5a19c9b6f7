import { msUntil } from '@parley/protocol/dates';
import type { Poll } from '@parley/protocol';
import { useEffect, useState } from 'react';

/** Maximum delay of a browser's timer. */
const MAX_MS = 2 ** 31 - 1;

/** Whether the poll takes no votes any more; it can end while it is shown. */
export function useIsOver({ closed_at, closes_at }: Poll): boolean {
  const endsAt = closed_at !== undefined ? 0 : closes_at !== undefined ? Date.parse(closes_at) : Infinity;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const leftMs = msUntil(endsAt, Date.now());
    if (leftMs <= 0 || leftMs > MAX_MS) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), leftMs);
    return () => clearTimeout(timer);
  }, [endsAt]);
  return endsAt <= now;
}
