import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface PushKeys {
  /** Environment variables of the service. */
  env: Record<string, string>;
  vapidPublicKey: string;
  apnsPublicKey: KeyObject;
}

const SUBJECT = 'mailto:operator@example.com';

/** New keys for Web Push, and for Apple's service at `apnsUrl`. */
export function makePushKeys({ apnsUrl }: { apnsUrl?: string } = {}): PushKeys {
  const vapid = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = vapid.publicKey.export({ format: 'jwk' });
  const vapidPublicKey = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]).toString('base64url');
  const env: Record<string, string> = {
    PUSH_ALLOW_PRIVATE: '1',
    VAPID_PRIVATE_PEM_BASE64: pem(vapid.privateKey),
    VAPID_PUBLIC_KEY: vapidPublicKey,
    VAPID_SUBJECT: SUBJECT,
  };
  if (apnsUrl !== undefined)
    Object.assign(env, {
      APNS_KEY_P8_BASE64: pem(apple.privateKey),
      APNS_KEY_ID: 'KEY1234567',
      APNS_TEAM_ID: 'TEAM123456',
      APNS_TOPIC: 'com.example.parley',
      APNS_BASE_URL: apnsUrl,
    });
  return { env, vapidPublicKey, apnsPublicKey: createPublicKey(apple.privateKey) };
}

const pem = (key: KeyObject): string => Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
