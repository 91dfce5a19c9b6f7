/** How long an account counts as live after a sign of life (PUSH-8). */
const LIVE_MS = 40_000;
/** How long rows of live recipients are kept: a dead socket is detected within this time (SOCKET-8). */
export const KEEP_ROWS_MS = 80_000;

export const isLive = (heardAt: number | null, now: number): heardAt is number =>
  heardAt !== null && now - heardAt <= LIVE_MS;
