// Converts Markdown to plain text, for places that do not render it. The time is linear in the text.

import { blocksOf, textOfBlocks } from '@parley/markdown';

/** UTF-16 units that are read for each one that is wanted, and at least: marks, addresses and white space are left out. */
const READ_FOR_EACH = 8;
const LEAST_READ = 4_096;
/** Maximum UTF-16 units that are read: more than the longest tag, so that none is cut within its markup. */
const MAX_READ = 65_536;

/** The plain text without marks and tags, code kept. May stop once it has at least `enough` characters. */
export function plainText(text: string, enough: number): string {
  const lines: string[] = [];
  let length = 0;
  for (const block of blocksOf(beginningOf(text, Math.max(LEAST_READ, enough * READ_FOR_EACH)))) {
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

/** The beginning of a text; a tag that begins in it is whole. */
function beginningOf(text: string, units: number): string {
  const end = Math.min(units, MAX_READ);
  if (text.length <= end) return text;
  const opening = text.lastIndexOf('{%', end);
  const closing = opening < 0 ? -1 : text.indexOf('%}', opening);
  return text.slice(0, closing >= end && closing < MAX_READ ? closing + 2 : end);
}

const tidy = (line: string): string => line.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
