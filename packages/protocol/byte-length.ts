const encoder = new TextEncoder();

/** UTF-8 length in bytes. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** The beginning of a text that takes at most `max` bytes of UTF-8, without a part of a character. */
export function firstBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, Math.min(max, text.length * 3))));
  return text.slice(0, read);
}

/** True if `text` has at most `max` bytes of UTF-8. Encodes only text whose length alone does not decide it. */
export const fits = (text: string, max: number): boolean =>
  text.length * 3 <= max || (text.length <= max && byteLength(text) <= max);
