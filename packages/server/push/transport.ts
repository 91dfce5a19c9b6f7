import type { PushContent } from '../rules/push-delivery.ts';

/** A push as a transport sends it. */
export interface Push {
  /** The same for all pushes of a conversation to one account, so that a newer one takes the place of an older. */
  topic: string;
  badge: number | null;
  /** What is to be shown; null where something is to be closed, or the badge alone has changed (PUSH-20, PUSH-21). */
  alert: PushContent | null;
  /** The message that the alert tells of; without one, up to which nothing is to be shown any more. */
  place: Place | null;
}

/** A message, and where it stands. */
export interface Place {
  chatId: string;
  messageId: string;
  position: number;
}

export type PushOutcome =
  | { type: 'sent' }
  /** The service does not know the token any more, or did not at `since` (ms since the epoch). */
  | { type: 'gone'; since?: number }
  | { type: 'retry'; reason: string; afterMs?: number }
  | { type: 'failed'; reason: string };

/** The port: one way to reach devices. */
export interface PushTransport {
  /** Never rejects, and answers within a bounded time. */
  send(token: string, push: Push): Promise<PushOutcome>;
  /** Drops connections and whatever is under way. */
  close(): void;
}

/** The names that a client reads. */
export const placeJson = ({ chatId, messageId, position }: Place) => ({
  chat_id: chatId,
  message_id: messageId,
  position,
});

/** How long a push service keeps what it cannot deliver at once. */
export const KEEP_MS = 7 * 86_400_000;
/** From the connect to the end of the answer. */
export const SEND_LIMIT_MS = 10_000;

/** What a status means, beyond what a transport knows better (PUSH-11, PUSH-12). */
export function outcomeOf(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { type: 'sent' };
  if (status === 404 || status === 410) return { type: 'gone' };
  const reason = `status ${status}`;
  // Redirects are not followed: where they lead nobody has checked.
  if (status !== 429 && status < 500) return { type: 'failed', reason };
  const afterMs = retryAfterMs(retryAfter, now);
  return { type: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

/** A Retry-After header: seconds, or a date. */
function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
