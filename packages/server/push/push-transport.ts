import type { PushContent } from '../rules/push-delivery.ts';

/** A push as a transport sends it. */
export interface Push {
  /** The same for all pushes of a conversation to one account: a newer push replaces an older one on the device. */
  topic: string;
  badge: number | null;
  /** What to show; null if the push closes a notification or only updates the badge (PUSH-20, PUSH-21). */
  alert: PushContent | null;
  /** The address of the group's picture, for the alert. */
  icon?: string;
  /** The alert's message. Without an alert: the message up to which notifications must be closed. */
  place: Place | null;
}

/** A message and its position in the conversation. */
export interface Place {
  chatId: string;
  messageId: string;
  position: number;
}

export type PushOutcome =
  | { type: 'sent' }
  /** The push service does not know the token, or did not at the time `since` (ms since the epoch). */
  | { type: 'gone'; since?: number }
  | { type: 'retry'; reason: string; afterMs?: number }
  | { type: 'failed'; reason: string };

/** The port: one way to reach devices. */
export interface PushTransport {
  /** Never rejects, and resolves within a bounded time. */
  send(token: string, push: Push): Promise<PushOutcome>;
  /** Closes connections and aborts requests in flight. */
  close(): void;
}

/** A `Place` with the field names that clients read. */
export const placeJson = ({ chatId, messageId, position }: Place) => ({
  chat_id: chatId,
  message_id: messageId,
  position,
});

/** How long a push service keeps a push that it cannot deliver immediately. */
export const KEEP_MS = 7 * 86_400_000;
/** Maximum time of a request, from the connect to the end of the response. */
export const SEND_LIMIT_MS = 10_000;

/** The meaning of a status, unless the transport knows better (PUSH-11, PUSH-12). */
export function outcomeOf(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { type: 'sent' };
  if (status === 404 || status === 410) return { type: 'gone' };
  const reason = `status ${status}`;
  // Redirects are not followed: their target was not checked.
  if (status !== 429 && status < 500) return { type: 'failed', reason };
  const afterMs = retryAfterMs(retryAfter, now);
  return { type: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

/** Parses a Retry-After header: seconds or a date. */
function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
