/** More marks on one letter than any language writes. Thousands of them stop the page while it looks for glyphs. */
const STACKED = /(\p{M}{8})\p{M}+/gu;
/** Emoji joined to one: families have four, some pictures a few more. */
const JOINED = /((?:\u200D[^\u200D\s]{1,4}){8})(?:\u200D+[^\u200D\s]{0,4})+/gu;

/** A text of somebody else as it is drawn: without the marks that pile up on one letter beyond what a language needs. */
export function calmText(text: string): string {
  const calm = text.replaceAll(STACKED, '$1');
  return calm.includes('\u200D') ? calm.replaceAll(JOINED, '$1') : calm;
}
