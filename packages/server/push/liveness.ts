/** Heard from within this time, an account is live (PUSH-8). */
const LIVE_MS = 40_000;
/** Silence that means a dead socket is noticed within this time (SOCKET-8): so long rows of live recipients are kept. */
export const KEEP_ROWS_MS = 80_000;

export const isLive = (heardAt: number | null, now: number): heardAt is number =>
  heardAt !== null && now - heardAt <= LIVE_MS;
