import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// Codes by the time, as RFC 6238 says, in the form that all apps know: SHA-1, six digits, a step of 30 seconds.
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Steps by which the clock of a phone may be wrong. */
const DRIFT = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 of RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}

function bytesOf(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = (value << 5) | alphabet.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(value >>> bits);
    value &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}

export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

const stepAt = (ms: number): number => Math.floor(ms / STEP_MS);

/** The code of a step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(at) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of which this is the code, at most one from now; null if it is none. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const given = Buffer.from(code);
  let found: number | null = null;
  // Each is compared, so that the time says nothing.
  for (let step = stepAt(now) - DRIFT; step <= stepAt(now) + DRIFT; step += 1) {
    const expected = Buffer.from(totpCode(secret, step));
    if (expected.length === given.length && timingSafeEqual(expected, given)) found = step;
  }
  return found;
}

/** The address from which an app takes the secret. */
export function totpUrl(secret: string, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
