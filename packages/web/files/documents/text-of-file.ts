import { decodedText } from '@parley/office';
import type { FileBytes } from './file-bytes.ts';

/** The most that is shown of a text, in lines. */
const MAX_LINES = 10_000;

export interface FileText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The text of a file, by whole lines if it is cut; null if the bytes are no text. */
export function textOfFile({ bytes, isCut }: FileBytes): FileText | null {
  const decoded = bytes.length === 0 ? '' : decodedText(bytes);
  if (decoded === null) return null;
  // A character that is cut off at the end is left out.
  const text = isCut ? decoded.replace(/\ufffd$/, '') : decoded;
  // The line break at the end of a file begins no further line.
  const lines = text.replace(/\n$/, '').split('\n', MAX_LINES + 1);
  if (lines.length > MAX_LINES) return { text: lines.slice(0, MAX_LINES).join('\n'), isCut: true };
  const end = text.lastIndexOf('\n');
  return { text: isCut && end > 0 ? text.slice(0, end) : text, isCut };
}
