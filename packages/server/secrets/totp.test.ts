import { expect, test } from 'vitest';
import { base32, newTotpSecret, stepOfCode, totpCode, totpUrl } from './totp.ts';

const secret = base32(Buffer.from('12345678901234567890'));

// RFC 6238, appendix B: SHA-1, of which six digits are used here.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('FACTOR-1: the code at second %d is the one of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
  expect(stepOfCode(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test('FACTOR-1: a code is good for its step and one before and after, and nothing else is a code', () => {
  const code = totpCode(secret, 100);
  const at = (step: number) => stepOfCode(secret, code, step * 30_000);
  expect([98, 99, 100, 101, 102].map(at)).toEqual([null, 100, 100, 100, null]);
  for (const other of ['', '1', `${code}0`, `0${code}`, ' '.repeat(6), '٠١٢٣٤٥', code.split('').toReversed().join('x')])
    expect(stepOfCode(secret, other, 100 * 30_000)).toBeNull();
});

test('FACTOR-1: a secret has 160 random bits in base32, and its address names the service and the person', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(new Set(Array.from({ length: 50 }, newTotpSecret)).size).toBe(50);
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUrl(secret, 'chat.example', 'ann')).toBe(
    `otpauth://totp/chat.example:ann?secret=${secret}&issuer=chat.example`,
  );
});
