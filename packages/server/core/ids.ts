import { randomFillSync } from 'node:crypto';

// UUIDs of version 7: ids sort by time, so that new rows are added at the end of the index.

const pool = Buffer.alloc(4096);
let used = pool.length;

function randomBytes(size: number): Buffer {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The 16 bytes of a fresh UUIDv7 at `now` (ms since the epoch). */
export function newIdBytes(now: number): Uint8Array {
  const bytes = new Uint8Array(16);
  bytes.set(randomBytes(10), 6);
  for (let at = 5, rest = now; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
}

/** The UUID text of 16 bytes, as sent on the wire. */
export function idText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < 16; at += 1) {
    text += hex[bytes[at] ?? 0];
    if (at === 3 || at === 5 || at === 7 || at === 9) text += '-';
  }
  return text;
}

/** The values of hex digits, by their code. */
const digits = new Uint8Array(128);
for (let value = 0; value < 16; value += 1)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) digits[digit.charCodeAt(0)] = value;

/** The 16 bytes of a UUID. */
export function idBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let at = 0, from = 0; at < 16; at += 1, from += 2) {
    if (text.charCodeAt(from) === 45) from += 1;
    bytes[at] = ((digits[text.charCodeAt(from)] ?? 0) << 4) | (digits[text.charCodeAt(from + 1)] ?? 0);
  }
  return bytes;
}

/** The lowest id of a time (ms since the epoch): ids made since then sort after it. */
export function firstIdBytes(time: number): Uint8Array {
  const bytes = new Uint8Array(16);
  for (let at = 5, rest = Math.max(0, time); at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}
