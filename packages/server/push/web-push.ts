import { dateAfter } from '@parley/protocol/dates';
import { Agent as PlainAgent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import type { Clock } from '../core/clock.ts';
import { encryptFor } from './aes128gcm.ts';
import { EndpointRefused, type EndpointGuard } from '../outbound/endpoint-guard.ts';
import { USER_AGENT } from '../outbound/user-agent.ts';
import { type DatedToken, isFresh, signToken } from './es256.ts';
import type { Vapid } from './push-config.ts';
import { readSubscription } from './subscription.ts';
import {
  KEEP_MS,
  outcomeOf,
  placeJson,
  type Push,
  type PushOutcome,
  type PushTransport,
  SEND_LIMIT_MS,
} from './push-transport.ts';

/** How long a VAPID token is valid; it is used for half of that. */
const TOKEN_MS = 12 * 3_600_000;
const MAX_KNOWN_TOKENS = 1_000;
/** Maximum bytes read of a response, whose body is ignored. */
const MAX_ANSWER_BYTES = 16 * 1024;
const agentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, timeout: 60_000 };

interface WebPushNeeds {
  vapid: Vapid;
  guard: EndpointGuard;
  clock: Clock;
}

/** Pushes to browsers, encrypted for each subscription and signed with VAPID (PUSH-15). */
export function createWebPush({ vapid, guard, clock }: WebPushNeeds): PushTransport {
  const agents = { 'https:': new Agent(agentOptions), 'http:': new PlainAgent(agentOptions) };
  const tokens = new Map<string, DatedToken>();
  const open = new Set<ClientRequest>();
  let isClosed = false;

  const tokenFor = (origin: string): string => {
    const now = clock.now();
    const known = tokens.get(origin);
    if (known && isFresh(known, now)) return known.text;
    if (tokens.size >= MAX_KNOWN_TOKENS) tokens.clear();
    const claims = { aud: origin, exp: Math.floor(dateAfter(now, TOKEN_MS) / 1000), sub: vapid.subject };
    const text = signToken(vapid.privateKey, { typ: 'JWT' }, claims);
    tokens.set(origin, { text, madeAt: now, freshUntil: dateAfter(now, TOKEN_MS / 2) });
    return text;
  };

  /** Resolves when the status arrives; the rest of the response is read and discarded, within bounds. */
  const post = (url: URL, headers: Record<string, string>, body: Uint8Array): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new Error('the service is stopping');
      const [request, agent] =
        url.protocol === 'http:' ? [requestPlain, agents['http:']] : [requestSecure, agents['https:']];
      const sent = request(url, { method: 'POST', headers, agent, lookup: guard.lookup });
      const timer = clock.setTimer(() => sent.destroy(new Error('no answer in time')), SEND_LIMIT_MS);
      open.add(sent);
      const end = (): void => {
        timer.cancel();
        open.delete(sent);
      };
      sent.on('error', reject);
      sent.on('close', end);
      sent.on('response', (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) sent.destroy();
        });
        answer.on('error', () => {});
        answer.on('close', end);
        resolve(answer);
      });
      sent.end(body);
    });

  const send = async (text: string, push: Push): Promise<PushOutcome> => {
    const { endpoint, keys } = readSubscription(text);
    const url = new URL(endpoint);
    guard.check(url);
    const payload = Buffer.from(JSON.stringify(payloadOf(push)));
    const encrypted = encryptFor(keys, payload);
    const headers = {
      authorization: `vapid t=${tokenFor(url.origin)}, k=${vapid.publicKey}`,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': String(encrypted.length),
      'user-agent': USER_AGENT,
      ttl: String(KEEP_MS / 1000),
      // A push that shows nothing need not wake a sleeping device.
      urgency: push.alert ? 'high' : 'normal',
      topic: push.topic,
    };
    const { statusCode = 0, headers: answered } = await post(url, headers, encrypted);
    return outcomeOf(statusCode, answered['retry-after'], clock.now());
  };

  return {
    send: (text, push) =>
      send(text, push).catch((error: unknown): PushOutcome => {
        if (error instanceof EndpointRefused) return { type: 'failed', reason: 'the endpoint is refused' };
        return { type: 'retry', reason: reasonOf(error) };
      }),
    close() {
      isClosed = true;
      for (const sent of open) sent.destroy();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The payload for the service worker (PUSH-15, PUSH-20). */
function payloadOf({ alert, icon, place, badge }: Push): Record<string, unknown> {
  const badgeField = badge === null ? {} : { badge };
  const at = place && placeJson(place);
  if (!alert) return { ...(at && { close: at }), ...badgeField };
  return { title: alert.title, body: alert.body, ...at, ...(at && icon !== undefined && { icon }), ...badgeField };
}

/** The code of a network error. Its message must not be logged, because it may contain the endpoint. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
