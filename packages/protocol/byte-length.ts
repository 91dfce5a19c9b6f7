const encoder = new TextEncoder();

/** UTF-8 length in bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** True if `text` has at most `max` bytes of UTF-8. Encodes only text whose length alone does not decide it. */
export const fits = (text: string, max: number): boolean =>
  text.length * 3 <= max || (text.length <= max && byteLength(text) <= max);
