import { type Block, parseMarkdown, textOfBlocks } from '@parley/markdown';
import { expect, test } from 'vitest';
import { BUDGET, withinBudget } from './within-budget.ts';

const parts = (text: string): readonly Block[] => parseMarkdown(text);

test('WEB-474: a text that fits is not touched', () => {
  const blocks = parts('# One\n\n- two\n- **three**\n\n| a | b |\n|-|-|\n| c | d |\n\n```js\ncode\n```\n');
  expect(withinBudget(blocks, BUDGET)).toEqual({ blocks, isCut: false });
  expect(withinBudget(blocks, BUDGET).blocks).toBe(blocks);
});

const kinds = {
  paragraphs: 'a paragraph of some words\n\n',
  items: '- an item\n',
  rows: '| a | b |\n|-|-|\n',
  quotes: '> quoted\n\n',
  code: '```\nsome code\n```\n\n',
  footnotes: '[^1]: a note\n\n',
  letters: 'letters',
  formulas: '$x^2$ ',
  links: '[a](https://example.org/) ',
  marks: '**bold** _emphasis_ `code` ',
  buttons: '{% button action="a" label="b" /%}\n\n',
};

test.each(Object.entries(kinds))('WEB-474: of many %s the first are drawn, and more with a larger budget', (_, one) => {
  const blocks = parts(one.repeat(Math.ceil(200_000 / one.length)));
  let before = -1;
  for (const budget of [BUDGET, 2 * BUDGET, 4 * BUDGET]) {
    const { blocks: kept, isCut } = withinBudget(blocks, budget);
    const text = textOfBlocks([...kept], {});
    expect(isCut).toBe(true);
    expect(JSON.stringify(kept).length).toBeGreaterThan(before);
    expect(text.length).toBeLessThan(budget * 45);
    before = JSON.stringify(kept).length;
  }
  // In the end everything is drawn.
  expect(withinBudget(blocks, 1e9)).toEqual({ blocks, isCut: false });
});

test('WEB-474: the blocks before the cut stay the same objects, so that showing more draws only what is new', () => {
  const blocks = parts('a paragraph of some words\n\n'.repeat(9_000));
  const { blocks: first } = withinBudget(blocks, BUDGET);
  const { blocks: second } = withinBudget(blocks, 2 * BUDGET);
  expect(first.slice(0, -1).every((block, at) => block === second[at])).toBe(true);
});
