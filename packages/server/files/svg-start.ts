/** What may stand before the first element of an SVG. */
const BEFORE = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** Whether a text begins like an SVG: with its element, after a declaration, comments and a document type. */
export function isSvgStart(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  for (;;) {
    const skipped = BEFORE.find(([begin]) => rest.startsWith(begin));
    if (!skipped) break;
    const end = rest.indexOf(skipped[1], skipped[0].length);
    if (end < 0) return false;
    rest = rest.slice(end + skipped[1].length).trimStart();
  }
  // A document type that declares something of its own is not drawn: no program that people use writes one.
  return /^(?:<!DOCTYPE svg[^>[]*>\s*)?<svg[\s>/]/i.test(rest);
}
