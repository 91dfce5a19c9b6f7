const LETTER = /[\p{L}\p{N}]/u;

interface Word {
  readonly index: number;
  readonly length: number;
}

/** Finds words in a text: matches at the start of a word, or all matches if there are none. */
export function wordsIn(text: string, words: readonly string[]): Word[] {
  const escaped = words
    .filter((word) => word !== '')
    .map((word) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  if (escaped.length === 0) return [];
  // oxlint-disable-next-line parley/linear-expressions -- nothing in it repeats
  const found = [...text.matchAll(new RegExp(escaped.join('|'), 'giu'))].map(({ index, 0: { length } }) => ({
    index,
    length,
  }));
  const whole = found.filter(({ index }) => index === 0 || !LETTER.test(text.charAt(index - 1)));
  return whole.length > 0 ? whole : found;
}

/** DOM ranges of words in an element. */
export function wordRanges(element: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, length } of wordsIn(node.textContent ?? '', words)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + length);
      ranges.push(range);
    }
  }
  return ranges;
}
