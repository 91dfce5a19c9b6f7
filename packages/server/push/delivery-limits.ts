export interface DeliveryLimits {
  atOnce: number;
  atOncePerService: number;
  waitingPerService: number;
  waitingPerAccount: number;
  waitingPerToken: number;
  /** Maximum waiting jobs of one conversation for one token; further messages join the last job. */
  waitingPerConversation: number;
  /** Maximum jobs started per tick of the event loop, so that sockets and callers get their share of it. */
  beginsPerTick: number;
  attempts: number;
  firstDelayMs: number;
  maxDelayMs: number;
}

/** There is no limit over all services: a service or account that fills its share takes nothing from the others. */
export const defaultDeliveryLimits: DeliveryLimits = {
  atOnce: 128,
  atOncePerService: 48,
  waitingPerService: 10_000,
  waitingPerAccount: 200,
  waitingPerToken: 50,
  waitingPerConversation: 8,
  beginsPerTick: 8,
  attempts: 6,
  firstDelayMs: 2_000,
  maxDelayMs: 600_000,
};

/** The delay before a retry: four times as long each time, with jitter between half and all of it. */
export function delayMs(limits: DeliveryLimits, attempts: number, random: () => number, retryAfterMs = 0): number {
  const ownMs = Math.round(limits.firstDelayMs * 4 ** (attempts - 1) * (0.5 + random() / 2));
  return Math.min(Math.max(retryAfterMs, ownMs), limits.maxDelayMs);
}
