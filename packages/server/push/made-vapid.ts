import { type KeyRing, serviceKeyBinding } from '../secrets/seal.ts';
import { serviceKey } from '../store/service-keys.ts';
import type { Sql } from '../store/sql.ts';
import { newPem, type Vapid, vapidOf } from './push-config.ts';

export const VAPID_KEY = 'vapid';
const BINDING = serviceKeyBinding(VAPID_KEY);
/** Sent to push services without an https PUBLIC_URL: they require an address, and it reaches nobody. */
const NO_CONTACT = 'mailto:operator@example.com';

interface VapidConfig {
  vapid: Vapid | null;
  missingVapid: readonly string[];
  makesVapid: boolean;
}

/** Whether web pushes are configured: with only some of the variables none is sent (NOTIF-10, NOTIF-12). */
export const sendsWebPushes = ({ vapid, missingVapid, makesVapid }: VapidConfig): boolean =>
  vapid !== null || (makesVapid && missingVapid.length === 0);

export interface VapidNeeds {
  config: VapidConfig & { publicUrl: URL | null };
  logger: Record<'info' | 'warn', (facts: object, text: string) => void>;
  keys: KeyRing;
  read: Sql;
  /** Stores the key unless another node has stored one; returns the one that is stored. */
  keep: (sealed: string) => Promise<string>;
}

/**
 * The identity towards push services: that of the variables, otherwise, with `WEB_PUSH=made`, the one that the service
 * has made (NOTIF-12). Null without either, if only some variables are set, or if no secrets key opens the stored one: a
 * new one would end the subscriptions of all browsers.
 */
export async function openVapid({ config, logger, keys, read, keep }: VapidNeeds): Promise<Vapid | null> {
  const { vapid, publicUrl } = config;
  if (vapid || !sendsWebPushes(config)) return vapid;
  const stored = (await read.get(serviceKey, VAPID_KEY))?.sealed ?? (await keep(keys.seal(newPem(), BINDING)));
  let pem: string;
  try {
    pem = keys.open(stored, BINDING);
  } catch {
    logger.warn({}, 'web pushes are skipped: no secrets key opens the key that this service made for them');
    return null;
  }
  logger.info({ WEB_PUSH: 'made' }, 'web pushes are signed with a key that this service has made');
  return vapidOf(pem, publicUrl?.protocol === 'https:' ? publicUrl.origin : NO_CONTACT);
}
