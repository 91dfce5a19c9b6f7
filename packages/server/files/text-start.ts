import { textEncodingOf } from '@parley/office';

/** Bytes examined to decide whether a file is text. */
export const TEXT_BYTES = 4_096;

/** Whether a file that starts with these bytes, at most TEXT_BYTES of them, is text, in whatever encoding. */
export const isTextStart = (start: Uint8Array): boolean => textEncodingOf(start) !== null;
