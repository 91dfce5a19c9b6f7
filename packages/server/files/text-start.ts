import { isUtf8 } from 'node:buffer';

/** Bytes examined to decide whether a file is text. */
export const TEXT_BYTES = 4_096;

/** Whether a file that starts with these bytes, at most TEXT_BYTES of them, is text. */
export function isTextStart(start: Buffer): boolean {
  if (start.length === 0 || /[^\P{Cc}\t\n\f\r]/u.test(start.toString('latin1').replaceAll(/[\x80-\xff]/g, '')))
    return false;
  // The last character may be incomplete.
  return [0, 1, 2, 3].some((less) =>
    isUtf8(start.subarray(0, start.length - (start.length === TEXT_BYTES ? less : 0))),
  );
}
