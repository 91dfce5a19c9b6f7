import { generateKeyPairSync } from 'node:crypto';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { expect, test } from 'vitest';
import { ConfigError } from '../core/config-error.ts';
import { missingVapid, readApns, readVapid } from './push-config.ts';

const keys = makePushKeys({ apnsUrl: 'https://apns.example' });
const other = makePushKeys({ apnsUrl: 'https://apns.example' });
const value =
  (changed: Record<string, string | undefined> = {}) =>
  (name: string) =>
    ({ ...keys.env, ...changed })[name];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

test('NOTIF-10: a platform with none of its variables set is not configured', () => {
  expect([readVapid(() => undefined), readApns(() => undefined)]).toEqual([null, null]);
});

test.each([
  [['VAPID_SUBJECT']],
  [['VAPID_PRIVATE_PEM_BASE64', 'VAPID_PUBLIC_KEY']],
  [['VAPID_PUBLIC_KEY', 'VAPID_SUBJECT']],
])('NOTIF-10: without %j Web Push is not configured, and the missing variables are named', (missing) => {
  const partial = value(Object.fromEntries(missing.map((name) => [name, undefined])));
  expect([readVapid(partial), missingVapid(partial)]).toEqual([null, missing]);
  expect([missingVapid(value()), missingVapid(() => undefined)]).toEqual([[], []]);
});

test('NOTIF-10: with all of its variables set a platform is configured; Apple’s address has a default', () => {
  expect(readVapid(value())).toMatchObject({ publicKey: keys.vapidPublicKey, subject: 'mailto:operator@example.com' });
  expect(readVapid(value({ VAPID_PUBLIC_KEY: `${keys.vapidPublicKey}=` }))).toMatchObject({
    publicKey: keys.vapidPublicKey,
  });
  expect(readApns(value())).toMatchObject({ topic: 'com.example.parley', baseUrl: 'https://apns.example' });
  expect(readApns(value({ APNS_BASE_URL: undefined }))).toMatchObject({ baseUrl: 'https://api.push.apple.com' });
});

test.each([
  ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: other.vapidPublicKey }],
  ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: 'nonsense' }],
  ['VAPID_PRIVATE_PEM_BASE64', { VAPID_PRIVATE_PEM_BASE64: 'nonsense' }],
  ['VAPID_PRIVATE_PEM_BASE64', { VAPID_PRIVATE_PEM_BASE64: base64(rsa) }],
  ['VAPID_SUBJECT', { VAPID_SUBJECT: 'somebody' }],
  ['APNS_KEY_ID', { APNS_KEY_ID: undefined }],
  ['APNS_TOPIC', { APNS_TOPIC: 'a b' }],
  ['APNS_KEY_P8_BASE64', { APNS_KEY_P8_BASE64: base64('nonsense') }],
  ['APNS_BASE_URL', { APNS_BASE_URL: 'https://apns.example/path' }],
  ['APNS_BASE_URL', { APNS_BASE_URL: 'ftp://apns.example' }],
])('NOTIF-10: an invalid %s is an error that names it: %j', (name, changed) => {
  const read = name.startsWith('VAPID') ? readVapid : readApns;
  expect(() => read(value(changed))).toThrow(ConfigError);
  expect(() => read(value(changed))).toThrow(name);
});

test('NOTIF-10: APNS_BASE_URL without the other variables is an error', () => {
  expect(() => readApns((name) => (name === 'APNS_BASE_URL' ? 'https://apns.example' : undefined))).toThrow(
    ConfigError,
  );
});

test('KEY-9: an error about a key does not contain the key', () => {
  const secret = base64('-----BEGIN PRIVATE KEY-----\nvery secret\n-----END PRIVATE KEY-----');
  expect(() => readVapid(value({ VAPID_PRIVATE_PEM_BASE64: secret }))).toThrow(/^(?!.*secret)/s);
});
