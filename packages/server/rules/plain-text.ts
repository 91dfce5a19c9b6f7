// Converts Markdown to plain text, for places that do not render it. The time is linear in the text.

import { blocksOf, textOfBlocks } from '@parley/markdown';

/** Maximum number of characters that are read: more than the longest tag, so that none is cut within its markup. */
const MAX_READ = 65_536;

/** The plain text without marks and tags, code kept. May stop once it has at least `enough` characters. */
export function plainText(text: string, enough: number): string {
  const lines: string[] = [];
  let length = 0;
  for (const block of blocksOf(text.slice(0, MAX_READ))) {
    if (length >= enough) break;
    for (const line of textOfBlocks([block], { isBare: true }).split('\n')) {
      const tidied = tidy(line);
      if (tidied === '') continue;
      lines.push(tidied);
      length += tidied.length + 1;
    }
  }
  return lines.join('\n');
}

const tidy = (line: string): string => line.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
