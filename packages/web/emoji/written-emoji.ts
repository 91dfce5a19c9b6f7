/** `:name:` between characters that belong to no word, so that the time 10:30:45 has none. */
const WRITTEN = /(?<![\p{L}\p{N}_]):([a-z0-9_]{2,32}):(?![\p{L}\p{N}_])/gu;
const WHOLE = /^:([a-z0-9_]{2,32}):$/;

/** The name of a custom emoji; undefined for any other emoji. */
export const customName = (emoji: string): string | undefined => WHOLE.exec(emoji)?.[1];

/** A text in pieces: names of custom emoji, as written, at odd places, and the text around them at even ones. */
export function splitAtEmoji(text: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    pieces.push(text.slice(end, index), written);
    end = index + written.length;
  }
  return [...pieces, text.slice(end)];
}
