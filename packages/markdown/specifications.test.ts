import { expect, test } from 'vitest';
import { comparable, type Example, htmlOfMarkdown, suites } from './examples.ts';

type Suite = keyof typeof suites;
/** The examples that we leave out on purpose, by number. */
type LeftOut = { readonly why: string } & { readonly [suite in Suite]?: string };

const leftOut: readonly LeftOut[] = [
  {
    why: 'HTML is text: nothing in a message is executed or changes the page (TEXT-2).',
    CommonMark: '21 31 148-191 308-309 344 475-477 491 494 524 613-617 623 625-631 642-643',
    GFM: '118-160 288-289 317 327 354 484-486 501 504 533 636-640 646 648 651-655 657 667-668',
  },
  {
    why: 'There are no references: a definition that arrives later would change what was already read, and would hide text.',
    CommonMark: '23 33 192-196 198 200-208 210 214-218 317 527-545 549-550 553-571 573 576-577 582-589 591-593',
    GFM: '161-165 167 169-177 179 183-188 297 319 329 536-554 558-559 562-580 582 585-586 591-598 600-602',
  },
  {
    why: 'A line of hyphens or equals signs below a text is no heading: writers of chats mean a rule.',
    CommonMark: '59 80-84 86 89-91 93 95-96 102-103 115 141 300',
    GFM: '29 50-54 56 59-61 63 65-66 72-73 85 111 278',
  },
  {
    why: 'A line without `>` ends a quotation: what stands right below it is the answer.',
    CommonMark: '232-233 238 247 250-251 292-293',
    GFM: '210-211 216 225 228-229 270-271',
  },
  {
    why: 'Two columns continue a list item, whatever the width of its marker: many models indent so.',
    CommonMark: '257 276 297 313',
    GFM: '235 254 275 293',
  },
  {
    why: 'A link without a label would be invisible (TEXT-1).',
    CommonMark: '484 487',
  },
  {
    why: 'Links lead to http, https and mailto alone (TEXT-2).',
    CommonMark: '596 598-599 601',
    GFM: '605 607-608 610',
  },
  {
    why: 'Addresses are links without brackets too, as in GFM.',
    CommonMark: '602 608 611',
    GFM: '611 617 620',
  },
  {
    why: 'A name behind an @ is a mention: e-mail addresses are links between `<` and `>` only.',
    GFM: '630-635',
  },
  {
    why: 'A single tilde means "about": `~5 min`.',
    GFM: '491',
  },
  {
    why: 'A line without a bar ends a table: what stands right below it is no cell.',
    GFM: '202',
  },
  {
    why: 'Between `\\[` and `\\]` stands a formula (TEXT-8).',
    CommonMark: '12',
    GFM: '308',
  },
  {
    why: 'Of the names of characters only those of HTML 4 are read: the others weigh 30 kB in the app.',
    CommonMark: '25',
    GFM: '321',
  },
];

/** `1 3-5` as the numbers that it stands for. */
const numbersIn = (ranges: string): number[] =>
  ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });

const passes = ({ markdown, html }: Example): boolean => htmlOfMarkdown(markdown) === comparable(html);
const reasonsIn = (suite: Suite): Map<number, string> =>
  new Map(leftOut.flatMap(({ why, [suite]: ranges }) => (ranges ? numbersIn(ranges).map((at) => [at, why]) : [])));

const all = (['CommonMark', 'GFM'] as const).flatMap((suite) => {
  const reasons = reasonsIn(suite);
  return suites[suite].map((example) => ({ suite, example, why: reasons.get(example.number) }));
});

test.each(all.filter(({ why }) => why === undefined).map(({ suite, example }) => [suite, example.number, example]))(
  'TEXT-6: %s, example %i',
  (_suite, _number, { markdown, html }) => {
    expect(htmlOfMarkdown(markdown)).toBe(comparable(html));
  },
);

test('TEXT-6: no example is left out that passes', () => {
  const passing = all.filter(({ why, example }) => why !== undefined && passes(example));
  expect(passing.map(({ suite, example }) => `${suite} ${example.number}`)).toEqual([]);
});
