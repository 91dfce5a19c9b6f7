import type { FileBytes } from './file-bytes.ts';

/** The most that is shown of a text, in lines. */
const MOST_LINES = 10_000;

export interface FileText {
  readonly text: string;
  readonly isCut: boolean;
}

const decoders = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const;

/** The text of a file, by whole lines if it is cut; null if the bytes are no text. */
export function textOfFile({ bytes, isCut }: FileBytes): FileText | null {
  const marked = decoders.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const decoded =
    marked === undefined ? (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-1252')) : decode(bytes, marked);
  if (decoded === null || decoded.includes('\0')) return null;
  const text = decoded.replaceAll(/\r\n?/g, '\n');
  // The line break at the end of a file begins no further line.
  const lines = text.replace(/\n$/, '').split('\n', MOST_LINES + 1);
  if (lines.length > MOST_LINES) return { text: lines.slice(0, MOST_LINES).join('\n'), isCut: true };
  const end = text.lastIndexOf('\n');
  return { text: isCut && end > 0 ? text.slice(0, end) : text, isCut };
}

/** Null if the bytes are not in the encoding; a character that is cut off at the end is left out. */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
