import type { Block } from '@parley/markdown';
import { createContext } from 'react';

/** What is added to the level of a heading: the greatest headings of a text follow the title of the page (h1). */
export const HeadingShift = createContext(1);

/** Models often begin with headings of the third level. */
export const headingShift = (blocks: readonly Block[]): number => {
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? block.level : []));
  return levels.length === 0 ? 1 : 2 - Math.min(...levels);
};
