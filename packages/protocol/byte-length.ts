const encoder = new TextEncoder();

/** UTF-8 length in bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;
