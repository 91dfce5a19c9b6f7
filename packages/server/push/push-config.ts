import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ConfigError } from '../core/config-error.ts';

/** Our identity towards browsers' push services. */
export interface Vapid {
  privateKey: KeyObject;
  /** The uncompressed point in base64url, the form in which browsers subscribe with it. */
  publicKey: string;
  subject: string;
}

/** Our identity towards Apple. */
export interface Apns {
  key: KeyObject;
  keyId: string;
  teamId: string;
  topic: string;
  baseUrl: string;
}

type Value = (name: string) => string | undefined;

const APPLE = 'https://api.push.apple.com';
const NAME = /^[\w.-]{1,255}$/;

const VAPID = ['VAPID_PRIVATE_PEM_BASE64', 'VAPID_PUBLIC_KEY', 'VAPID_SUBJECT'] as const;

/** The VAPID variables that are missing although others are set; empty if all or none are set (NOTIF-10). */
export function missingVapid(value: Value): string[] {
  const missing = VAPID.filter((name) => value(name) === undefined);
  return missing.length === VAPID.length ? [] : missing;
}

/** The values of the variables, or null if none is set; throws if only some are (NOTIF-10). */
function allOrNone<Name extends string>(value: Value, names: readonly Name[]): Record<Name, string> | null {
  const missing = names.filter((name) => value(name) === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0) {
    const given = names.find((name) => value(name) !== undefined);
    throw new ConfigError(`${given} is set without ${missing.join(', ')}; set all of them or none`);
  }
  // The check above found a value for each of them.
  return Object.fromEntries(names.map((name) => [name, value(name) ?? ''])) as Record<Name, string>;
}

export function readVapid(value: Value): Vapid | null {
  if (missingVapid(value).length > 0) return null;
  const given = allOrNone(value, VAPID);
  if (!given) return null;
  const privateKey = readKey('VAPID_PRIVATE_PEM_BASE64', given.VAPID_PRIVATE_PEM_BASE64);
  const publicKey = pointOf(privateKey);
  if (!/^[\w-]+={0,2}$/.test(given.VAPID_PUBLIC_KEY) || given.VAPID_PUBLIC_KEY.replace(/(?<!=)=+$/, '') !== publicKey)
    throw new ConfigError('VAPID_PUBLIC_KEY must be the public key of VAPID_PRIVATE_PEM_BASE64, 65 bytes in base64url');
  const subject = given.VAPID_SUBJECT;
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(subject))
    throw new ConfigError('VAPID_SUBJECT must be mailto:someone@example.com or an https URL');
  return { privateKey, publicKey, subject };
}

export function readApns(value: Value): Apns | null {
  const given = allOrNone(value, ['APNS_KEY_P8_BASE64', 'APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC']);
  const baseUrl = value('APNS_BASE_URL');
  if (!given) {
    if (baseUrl !== undefined) throw new ConfigError('APNS_BASE_URL is set without the other APNS_ variables');
    return null;
  }
  for (const name of ['APNS_KEY_ID', 'APNS_TEAM_ID', 'APNS_TOPIC'] as const)
    if (!NAME.test(given[name])) throw new ConfigError(`${name} must be letters, digits, ".", "-" and "_"`);
  const url = URL.parse(baseUrl ?? APPLE);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new ConfigError('APNS_BASE_URL must be an http or https URL without a path');
  return {
    key: readKey('APNS_KEY_P8_BASE64', given.APNS_KEY_P8_BASE64),
    keyId: given.APNS_KEY_ID,
    teamId: given.APNS_TEAM_ID,
    topic: given.APNS_TOPIC,
    baseUrl: url.origin,
  };
}

/** The identity with a private P-256 key that the service made itself. */
export function vapidOf(pem: string, subject: string): Vapid {
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: pointOf(privateKey), subject };
}

/** A new private key for web pushes, as PEM. */
export const newPem = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** New values of the variables, as lines for `.env` (NOTIF-15). */
export function newVapidLines(): string[] {
  const pem = newPem();
  const values = {
    VAPID_PRIVATE_PEM_BASE64: Buffer.from(pem).toString('base64'),
    VAPID_PUBLIC_KEY: pointOf(createPrivateKey(pem)),
    VAPID_SUBJECT: 'mailto:you@example.com',
  } satisfies Record<(typeof VAPID)[number], string>;
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

/** Parses a private P-256 key. The error must not contain any part of it. */
function readKey(name: string, base64: string): KeyObject {
  try {
    const key = createPrivateKey(Buffer.from(base64, 'base64').toString('utf8'));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The error is thrown below.
  }
  throw new ConfigError(`${name} must be a private key of the curve P-256, as PEM in base64`);
}

function pointOf(privateKey: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  );
}
