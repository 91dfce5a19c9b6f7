import { textEncodingOf } from '@parley/office';

/** Whether a file that starts with these bytes, at most TEXT_START_BYTES of them, is text, in whatever encoding. */
export const isTextStart = (start: Uint8Array): boolean => textEncodingOf(start) !== null;
