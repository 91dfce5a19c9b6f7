import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** Milliseconds until a time, in whole minutes, in the last minute by the second; 0 once it has passed, null without one. */
export function useLeft(until: string | undefined): number | null {
  const endsAt = until === undefined ? null : Date.parse(until);
  const [now, setNow] = useState(() => Date.now());
  const leftMs = endsAt === null ? null : Math.max(0, endsAt - now);
  useEffect(() => {
    if (leftMs === null || leftMs === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), leftMs > MINUTE_MS ? MINUTE_MS : Math.min(1_000, leftMs));
    return () => clearTimeout(timer);
  }, [leftMs]);
  return leftMs === null || leftMs <= MINUTE_MS ? leftMs : Math.ceil(leftMs / MINUTE_MS) * MINUTE_MS;
}
