import { createPublicKey } from 'node:crypto';
import { invalid } from '../core/errors.ts';
import type { PushPlatform } from '../store/notifications.ts';

/** A token as it is stored: the address that identifies it, and everything needed to send to it. */
interface PushAddress {
  platform: PushPlatform;
  address: string;
  token: string;
}

const DEVICE_TOKEN = /^[\w.:=+-]{1,512}$/;
const MAX_ENDPOINT = 2_048;
const BASE64URL = /^[\w-]+={0,2}$/;

/** Parses a token of a platform; throws invalid_argument (NOTIF-5). */
export function readPushToken(token: string, platform: PushPlatform): PushAddress {
  if (platform === 'web') return readSubscription(token);
  if (!DEVICE_TOKEN.test(token)) throw invalid('token', 'is not a device token');
  return { platform, address: token, token };
}

/** The address under which a token of any platform is registered. */
export function addressOf(token: string): string {
  let endpoint: unknown;
  try {
    ({ endpoint } = fieldsOf(JSON.parse(token)));
  } catch {
    // Not a subscription: a device token.
  }
  return typeof endpoint === 'string' ? (URL.parse(endpoint)?.href ?? token) : token;
}

/** Parses a browser's PushSubscription from JSON; the order of fields and unknown fields make no difference. */
function readSubscription(text: string): PushAddress {
  const { endpoint, keys, extras } = fieldsOf(parse(text));
  const { p256dh, auth } = fieldsOf(keys);
  if (typeof endpoint !== 'string' || endpoint.length > MAX_ENDPOINT || !URL.canParse(endpoint))
    throw invalid('token', `must have an endpoint, a URL of at most ${MAX_ENDPOINT} characters`);
  if (!isPoint(p256dh)) throw invalid('token', 'must have keys.p256dh, a point of P-256 in base64url');
  if (bytesOf(auth)?.length !== 16) throw invalid('token', 'must have keys.auth, 16 bytes in base64url');
  const address = new URL(endpoint).href;
  const subscription = { endpoint: address, keys: { p256dh, auth }, ...(extras === true && { extras }) };
  return { platform: 'web', address, token: JSON.stringify(subscription) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('token', 'must be a push subscription as JSON');
  }
}

/** The fields of a JSON object; an empty object for any other value. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function bytesOf(value: unknown): Buffer | undefined {
  return typeof value === 'string' && BASE64URL.test(value) ? Buffer.from(value, 'base64url') : undefined;
}

/** Whether a value is an uncompressed point on the curve: encrypting for any other would fail. */
function isPoint(value: unknown): boolean {
  const bytes = bytesOf(value);
  if (bytes?.length !== 65 || bytes[0] !== 4) return false;
  const coordinate = (from: number): string => bytes.subarray(from, from + 32).toString('base64url');
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
