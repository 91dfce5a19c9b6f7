// The tags of a message and their plain attributes, as the app reads them: outside of code only.

import { textBlocks } from './blocks.ts';
import { codeAndTags } from './prose.ts';
import { type MessageTag, readTag } from './read-tag.ts';

/** Every opening or single tag that stands outside of code, in order. What is malformed is no tag. */
export function* tagsOf(text: string): Generator<MessageTag> {
  if (!text.includes('{%')) return;
  for (const block of textBlocks(text)) {
    for (const { start, end } of codeAndTags(text, block)) {
      const tag = text[start] === '{' ? readTag(unquoted(text.slice(start, end), block.quotes)) : undefined;
      if (tag) yield tag;
    }
  }
}

/** Markup without the marks of the block quotes that its further lines begin with. */
const unquoted = (markup: string, quotes: number): string =>
  quotes === 0 ? markup : markup.replaceAll(new RegExp(`\\n(?:[ \\t]{0,3}> ?){0,${quotes}}`, 'g'), '\n');
