import { asianEncodingOf } from './asian-encodings.ts';
import { westernEncodingOf } from './western-text.ts';

/** Bytes at the beginning of a file that decide whether it is a text. */
export const TEXT_START_BYTES = 4_096;
/** Bytes that decide the encoding of a text that is not in UTF-8, from the first one that is not ASCII. */
const SAMPLE_BYTES = 16_384;
/** A shorter file with zeros may be anything. */
const LEAST_WIDE_BYTES = 8;
/** Minimum ratio of intact to damaged non-ASCII characters for a text to count as damaged UTF-8. */
const DAMAGED = 10;

const marks = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const;

/**
 * The text of a file, in whatever encoding it is; its lines end with `\n`. Null if the first TEXT_START_BYTES bytes are no
 * text. Control characters after them become U+FFFD. Linear in the bytes.
 */
export function decodedText(bytes: Uint8Array): string | null {
  const start = textEncodingOf(bytes.subarray(0, TEXT_START_BYTES));
  if (start === null) return null;
  // The whole text says more of its encoding than its beginning does, if it is a text to its end.
  return cleanText(new TextDecoder(textEncodingOf(bytes) ?? start).decode(bytes));
}

/** Text without control characters, whose lines end with `\n`. */
export const cleanText = (text: string): string =>
  text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll(/[^\P{Cc}\t\n]/gu, '\ufffd');

/**
 * The encoding of a text, or of its beginning, by its mark or by what its bytes say for sure; otherwise UTF-8, so that
 * bytes of another encoding become U+FFFD. Null if the bytes are no text.
 */
export function textEncodingOf(bytes: Uint8Array): string | null {
  const marked = marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  if (marked !== undefined) {
    const text = decodedAs(marked, bytes, false) ?? '';
    return hasControls(text) || (text === '' && marked !== 'utf-8') ? null : marked;
  }
  if (bytes.length === 0) return null;
  if (bytes.includes(0)) return wideEncodingOf(bytes);
  if (bytes.some(isControl)) return null;
  if (decodedAs('utf-8', bytes, true) !== null) return 'utf-8';
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const sample = bytes.subarray(first, first + SAMPLE_BYTES);
  if (isDamagedUtf8(sample)) return 'utf-8';
  // The letter before the sample tells what the first one belongs to.
  const western = westernEncodingOf(bytes.subarray(Math.max(0, first - 1), first + SAMPLE_BYTES));
  return western === undefined ? (asianEncodingOf(sample) ?? 'utf-8') : (western ?? 'utf-8');
}

const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d);

const hasControls = (text: string): boolean => /[^\P{Cc}\t\n\f\r]/u.test(text);

/** Null if the bytes are not in the encoding. A character that is cut off at the end is left out. */
function decodedAs(encoding: string, bytes: Uint8Array, fatal: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = decodedAs('utf-8', sample, false) ?? '';
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  return damaged * DAMAGED < (text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0);
}

/** UTF-16 without a mark: what the bytes say are letters, digits and signs, in one order of the bytes alone. */
function wideEncodingOf(bytes: Uint8Array): string | null {
  if (bytes.length % 2 === 1 || bytes.length < LEAST_WIDE_BYTES) return null;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const [isLittle = false, isBig = false] = ['utf-16le', 'utf-16be'].map((encoding) => {
    const text = decodedAs(encoding, sample, true) ?? '';
    return text !== '' && !hasControls(text) && !/[^\p{L}\p{M}\p{N}\p{P}\p{S}\s]/u.test(text);
  });
  if (isLittle !== isBig) return isLittle ? 'utf-16le' : 'utf-16be';
  if (!isLittle) return null;
  // In both orders: the zeros of Latin letters and spaces tell.
  const zeros = (parity: number): number => sample.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (even === odd) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
