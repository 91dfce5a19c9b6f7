import { expect, test } from 'vitest';
import { encryptFor } from './aes128gcm.ts';

test('PUSH-15: encryption reproduces the example of RFC 8291 byte for byte', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const text = Buffer.from('When I grow up, I want to be a watermelon');
  const encrypted = encryptFor(keys, text, {
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    paddedBytes: text.length,
  });
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('PUSH-15: all encrypted pushes have the same length, and no two are identical', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const made = ['', 'a', 'a', 'x'.repeat(3_300)].map((text) => encryptFor(keys, Buffer.from(text)));
  expect(new Set(made.map(({ length }) => length))).toEqual(new Set([3_403]));
  expect(new Set(made.map((bytes) => bytes.toString('hex'))).size).toBe(4);
  expect(() => encryptFor(keys, Buffer.alloc(3_301))).toThrow('too long');
});
