import { generateKeyPairSync } from 'node:crypto';
import type { JWK } from 'jose';
import { expect, test } from 'vitest';
import { NoKeySet, publicKeysIn } from './jwk-set.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const { kty, n, e } = publicKey.export({ format: 'jwk' });
const keyNamed = (kid: string) => ({ kty, use: 'sig', kid, n, e });
const keys = (count: number) => Array.from({ length: count }, (_, at) => keyNamed(`key-${at}`));
const stored = (...given: readonly object[]): JWK[] => JSON.parse(publicKeysIn(JSON.stringify({ keys: given }))).keys;
const withCertificate = (key: object, bytes: number) => ({ ...key, x5t: 'AA', x5c: ['M'.repeat(bytes)], issuer: 'x' });

test('ADMIN-19, TOKEN-20: a set of up to 64 KiB with certificates is stored without them', () => {
  const published = keys(12).map((key) => withCertificate(key, 4_900));
  expect(JSON.stringify(published).length).toBeGreaterThan(60_000);
  expect(stored(...published)).toEqual(keys(12));
  expect(() => stored(withCertificate(keyNamed('large'), 65_536))).toThrow(new NoKeySet('it is too large'));
});

test('ADMIN-19, TOKEN-20: a set of 20 keys is stored, one of 21 refused; keys that cannot be used do not count', () => {
  const useless = [
    { ...keyNamed('for encryption'), use: 'enc' },
    { ...keyNamed('for wrapping keys'), key_ops: ['wrapKey'] },
    { ...keyNamed('of malformed operations'), key_ops: 'verify' },
    { kty: 'AKP', kid: 'of a new type', pub: 'AA' },
    { kty: 'EC', kid: 'incomplete', crv: 'P-256' },
  ];
  expect(stored(...useless, ...keys(20), ...useless)).toEqual(keys(20));
  expect(() => stored(...keys(21))).toThrow(new NoKeySet('more than 20 of its keys can be used'));
  expect(() => stored(...useless)).toThrow(new NoKeySet('none of its keys can be used'));
});

test('ADMIN-19: a key whose key_ops allow verifying is stored with them', () => {
  const key = { ...keyNamed('for verifying'), key_ops: ['verify'] };
  expect(stored(key)).toEqual([key]);
});
