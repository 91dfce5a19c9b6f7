import { generateKeyPairSync } from 'node:crypto';
import { type KeyRing, serviceKeyBinding } from '../secrets/seal.ts';
import { serviceKey } from '../store/service-keys.ts';
import type { Sql } from '../store/sql.ts';
import { type Vapid, vapidOf } from './push-config.ts';

export const VAPID_KEY = 'vapid';
const BINDING = serviceKeyBinding(VAPID_KEY);
/** Sent to push services without an https PUBLIC_URL: they require an address, and it reaches nobody. */
const NO_CONTACT = 'mailto:operator@example.com';

interface Ports {
  config: { vapid: Vapid | null; missingVapid: readonly string[]; publicUrl: URL | null };
  logger: { warn: (facts: object, text: string) => void };
  keys: KeyRing;
  read: Sql;
  /** Stores the key unless another node has stored one; returns the one that is stored. */
  keep: (sealed: string) => Promise<string>;
}

/**
 * The identity towards push services: that of the variables, otherwise the one that the service made at its first start
 * (NOTIF-12). Null if only some variables are set, or if no secrets key opens the stored one: a new one would end the
 * subscriptions of all browsers.
 */
export async function openVapid({ config, logger, keys, read, keep }: Ports): Promise<Vapid | null> {
  const { vapid, missingVapid, publicUrl } = config;
  if (vapid || missingVapid.length > 0) return vapid;
  const stored = (await read.get(serviceKey, VAPID_KEY))?.sealed ?? (await keep(keys.seal(newPem(), BINDING)));
  let pem: string;
  try {
    pem = keys.open(stored, BINDING);
  } catch {
    logger.warn({}, 'web pushes are skipped: no secrets key opens the key that this service made for them');
    return null;
  }
  return vapidOf(pem, publicUrl?.protocol === 'https:' ? publicUrl.origin : NO_CONTACT);
}

const newPem = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
