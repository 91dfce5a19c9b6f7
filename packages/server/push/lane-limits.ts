export interface LaneLimits {
  atOnce: number;
  atOncePerService: number;
  waitingPerService: number;
  waitingPerAccount: number;
  waitingPerToken: number;
  /** Of one conversation for one token; more of them are told of by the last. */
  waitingPerConversation: number;
  /** Jobs begun before sockets and callers have their turn. */
  beginsPerTurn: number;
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

/** There is none for all services together: who fills a service, or an account's share, takes nothing from the others. */
export const defaultLaneLimits: LaneLimits = {
  atOnce: 128,
  atOncePerService: 48,
  waitingPerService: 10_000,
  waitingPerAccount: 200,
  waitingPerToken: 50,
  waitingPerConversation: 8,
  beginsPerTurn: 8,
  attempts: 6,
  firstDelayMs: 2_000,
  maxDelayMs: 600_000,
};

/** Four times as long each time, and between half and all of it by chance, so that not all come back at once. */
export function delayMs(limits: LaneLimits, attempts: number, random: () => number, retryAfterMs = 0): number {
  const ownMs = Math.round(limits.firstDelayMs * 4 ** (attempts - 1) * (0.5 + random() / 2));
  return Math.min(Math.max(retryAfterMs, ownMs), limits.maxDelayMs);
}
