import type { Block } from '@parley/office';
import { expect, test } from 'vitest';
import { blocksOf } from './office-blocks.ts';

const text = (text: string) => [{ kind: 'markup', text }] as const;
const item = (words: string, level: number, number?: number): Block => ({
  type: 'paragraph',
  spans: [{ text: words }],
  list: number === undefined ? { level } : { level, number },
});
const shownItem = (words: string, ...blocks: object[]) => ({
  isDone: null,
  blocks: [{ kind: 'paragraph', children: text(words) }, ...blocks],
});
const list = (start: number | null, ...items: object[]) => ({ kind: 'list', start, isLoose: false, items });

test('WEB-450: items of deeper levels are lists in the item before them, and numbers go on where the file says', () => {
  const blocks = [item('a', 0, 3), item('b', 1), item('c', 2), item('d', 1), item('e', 0, 4), item('f', 0)];
  expect(blocksOf([...blocks, { type: 'paragraph', spans: [{ text: 'end' }] }])).toEqual([
    list(3, shownItem('a', list(null, shownItem('b', list(null, shownItem('c'))), shownItem('d'))), shownItem('e')),
    list(null, shownItem('f')),
    { kind: 'paragraph', children: text('end') },
  ]);
  // The first item may be on a deeper level than the next.
  expect(blocksOf([item('x', 2), item('y', 0)])).toEqual([list(null, shownItem('x'), shownItem('y'))]);
});

test('WEB-450: of addresses in a file only those of web pages and mailboxes become links', () => {
  const shown = (href: string) => blocksOf([{ type: 'paragraph', spans: [{ text: 'x', isBold: true, href }] }]);
  const strong = { kind: 'strong', children: text('x') };
  expect(shown('https://example.org/')).toEqual([
    { kind: 'paragraph', children: [{ kind: 'link', url: 'https://example.org/', children: [strong] }] },
  ]);
  for (const href of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '#top', ''])
    expect(shown(href)).toEqual([{ kind: 'paragraph', children: [strong] }]);
});

test('WEB-450: the head of a table has as many cells as its longest row, and a short row stays short', () => {
  const rows = [[[{ text: 'A' }]], [[{ text: '1' }], [{ text: '2' }]], [[{ text: '3' }]]];
  expect(blocksOf([{ type: 'table', rows }])).toEqual([
    { kind: 'table', alignments: [null, null], head: [text('A'), []], rows: [[text('1'), text('2')], [text('3')]] },
  ]);
  expect(blocksOf([{ type: 'table', rows: [] }])).toMatchObject([{ head: [], rows: [] }]);
});
