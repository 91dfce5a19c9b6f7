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
  expect(() => stored(...useless)).toThrow(/^none of its keys can be used: /);
});

test('ADMIN-19: keys that are too small, on other curves or for other algorithms are refused with the reason', () => {
  const rsa = (modulusLength: number) =>
    generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
  const cases: [object, RegExp][] = [
    [rsa(512), /an RSA key has 512 bits, but needs at least 2048/],
    [rsa(1_024), /1024 bits/],
    [ec('secp256k1'), /neither RSA nor of the curves .* \(secp256k1\)/],
    [generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }), /\(X25519\)/],
    [{ ...rsa(2_048), alg: 'ES256' }, /a key of RSA is for another algorithm/],
    [{ ...rsa(2_048), alg: 'HS256' }, /another algorithm/],
    [{ ...ec('P-256'), alg: 'ES384' }, /a key of P-256 is for another algorithm/],
    [{ ...ec('P-256'), crv: '__proto__' }, /neither RSA/],
  ];
  for (const [key, reason] of cases) {
    expect(() => stored(key)).toThrow(NoKeySet);
    expect(() => stored(key)).toThrow(reason);
  }
  for (const key of [
    { ...rsa(2_048), alg: 'PS512' },
    { ...ec('P-521'), alg: 'ES512' },
    { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), alg: 'EdDSA' },
  ])
    expect(stored(key)).toEqual([key]);
});

test('ADMIN-19: a key whose key_ops allow verifying is stored with them', () => {
  const key = { ...keyNamed('for verifying'), key_ops: ['verify'] };
  expect(stored(key)).toEqual([key]);
});
