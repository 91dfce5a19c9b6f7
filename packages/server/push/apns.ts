import { dateAfter } from '@parley/protocol/dates';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { USER_AGENT } from '../outbound/user-agent.ts';
import type { Clock } from '../core/clock.ts';
import { type DatedToken, isFresh, signToken } from './es256.ts';
import type { Apns } from './push-config.ts';
import {
  KEEP_MS,
  outcomeOf,
  placeJson,
  type Push,
  type PushOutcome,
  type PushTransport,
  SEND_LIMIT_MS,
} from './push-transport.ts';

/** How long a token is used: Apple accepts it for an hour, and rejects renewals more often than every 20 minutes. */
const TOKEN_MS = 50 * 60_000;
const MAX_ANSWER_BYTES = 4 * 1024;

interface Connection {
  session: ClientHttp2Session;
  /** Requests in flight. */
  requests: number;
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  reason: string;
  timestamp: number | undefined;
}

/**
 * Pushes to iOS over one HTTP/2 connection to Apple, with a signed token (PUSH-16). Uses node:http2 directly: the usual
 * library accepts neither an injected clock nor a server without TLS, and retries and renews on its own timers.
 */
export function createApns({ apns, clock }: { apns: Apns; clock: Clock }): PushTransport {
  let current: Connection | null = null;
  let token: DatedToken | null = null;
  const connections = new Set<Connection>();
  let isClosed = false;

  const currentToken = (): string => {
    const now = clock.now();
    if (!token || !isFresh(token, now)) {
      const text = signToken(apns.key, { kid: apns.keyId }, { iss: apns.teamId, iat: Math.floor(now / 1000) });
      token = { text, madeAt: now, freshUntil: dateAfter(now, TOKEN_MS) };
    }
    return token.text;
  };

  /** Sends no further requests on this connection, and closes it when those in flight have ended. */
  const leave = (old: Connection): void => {
    if (current === old) current = null;
    if (old.requests > 0) return;
    connections.delete(old);
    old.session.destroy();
  };
  const currentConnection = (): Connection => {
    if (current && !current.session.closed && !current.session.destroyed) return current;
    const made: Connection = { session: connect(apns.baseUrl), requests: 0 };
    made.session.on('error', () => leave(made)); // each request also gets an error
    made.session.on('goaway', () => leave(made));
    made.session.on('close', () => leave(made));
    connections.add(made);
    current = made;
    return made;
  };

  const post = (device: string, push: Push): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new Error('the service is stopping');
      const used = currentConnection();
      const request = used.session.request({
        ':method': 'POST',
        ':path': `/3/device/${encodeURIComponent(device)}`,
        authorization: `bearer ${currentToken()}`,
        'apns-topic': apns.topic,
        'user-agent': USER_AGENT,
        ...kindOf(push),
        'apns-expiration': String(Math.floor(dateAfter(clock.now(), KEEP_MS) / 1000)),
        'apns-collapse-id': push.topic,
      });
      used.requests += 1;
      const timer = clock.setTimer(() => {
        request.close(constants.NGHTTP2_CANCEL);
        reject(new Error('no answer in time'));
        // The connection may be dead: later requests open a new one.
        leave(used);
      }, SEND_LIMIT_MS);
      let status = 0;
      let retryAfter: string | undefined;
      let body = '';
      request.setEncoding('utf8');
      request.on('response', (headers) => {
        status = headers[':status'] ?? 0;
        retryAfter = headers['retry-after'];
      });
      request.on('data', (text: string) => {
        if (body.length < MAX_ANSWER_BYTES) body += text;
      });
      request.on('error', reject);
      request.on('close', () => {
        timer.cancel();
        used.requests -= 1;
        if (used !== current) leave(used);
        if (status === 0) reject(new Error('no answer'));
        else resolve({ status, retryAfter, ...readBody(body) });
      });
      request.end(payloadOf(push));
    });

  const send = async (device: string, push: Push): Promise<PushOutcome> => {
    const { status, retryAfter, reason, timestamp } = await post(device, push);
    if (status === 410) return { type: 'gone', ...(timestamp !== undefined && { since: timestamp }) };
    if (status === 400 && reason === 'BadDeviceToken') return { type: 'gone' };
    if (status === 403 && reason === 'ExpiredProviderToken') {
      token = null;
      return { type: 'retry', reason };
    }
    // Apple does not know the path: a bug or misconfiguration here, not a sign that the device is gone.
    if (status === 404) return { type: 'failed', reason: `status 404 ${reason}` };
    const outcome = outcomeOf(status, retryAfter, clock.now());
    return outcome.type === 'failed' ? { type: 'failed', reason: `${outcome.reason} ${reason}` } : outcome;
  };

  return {
    send: (device, push) =>
      send(device, push).catch((error: unknown): PushOutcome => {
        const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
        return { type: 'retry', reason: code ?? 'no answer' };
      }),
    close() {
      isClosed = true;
      for (const { session } of connections) session.destroy();
    },
  };
}

/** Apple requires the type `alert` for anything visible, badges included; otherwise `background` with low priority. */
const kindOf = ({ alert, badge }: Push) => ({
  'apns-push-type': alert || badge !== null ? 'alert' : 'background',
  'apns-priority': alert ? '10' : '5',
});

/** Without an alert the push wakes the app, which closes the notification: Apple cannot take one back (PUSH-20). */
function payloadOf({ alert, badge, place }: Push): string {
  const badgeField = badge !== null && { badge };
  const thread = place && { 'thread-id': place.chatId };
  if (!alert) {
    // A background push contains only the wake-up flag.
    const aps = { 'content-available': 1, ...badgeField, ...(badgeField && thread) };
    return JSON.stringify({ aps, ...(place && { close: placeJson(place) }) });
  }
  const { title, body, sound } = alert;
  const aps = { alert: { title, body }, ...(sound && { sound: 'default' }), ...badgeField, ...thread };
  return JSON.stringify({ aps, ...(place && placeJson(place)) });
}

/** Parses the body of Apple's error response: `{ reason, timestamp? }`. */
function readBody(text: string): Pick<Answer, 'reason' | 'timestamp'> {
  try {
    const { reason, timestamp }: { reason?: unknown; timestamp?: unknown } = JSON.parse(text);
    return {
      reason: typeof reason === 'string' ? reason : '',
      timestamp: typeof timestamp === 'number' ? timestamp : undefined,
    };
  } catch {
    return { reason: '', timestamp: undefined };
  }
}
