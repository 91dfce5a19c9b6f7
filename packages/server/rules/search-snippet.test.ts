import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from './search-query.ts';
import { HIT_END, HIT_START, snippetOf, type Steps } from './search-snippet.ts';

const marked = (text: string, query: string) =>
  snippetOf(text, parseQuery(query))?.replaceAll(HIT_START, '[').replaceAll(HIT_END, ']');

test.each([
  ['We take the early train.', 'train early', 'We take the [early] [train].'],
  ['We take the early train.', 'ear', 'We take the [early] train.'],
  ['We take the early train.', '"ear"', undefined],
  ['We take the early train.', '"early train"', 'We take the [early train].'],
  ['We take the train early.', '"early train"', undefined],
  ['We take the early train.', 'early bus', undefined],
  ['Crème   brûlée\n\nagain', 'creme BRULEE', '[Crème] [brûlée] again'],
  ['東京タワーに行く', 'タワー', '東京[タワー]に行く'],
  ['東京タワーに行く', '京都', undefined],
  ["I don't know", "don't", "I [don't] know"],
  ['I don, t', "don't", 'I [don, t]'],
  ['a forged \u{e000}hit\u{e001}', 'forged', 'a [forged] hit'],
  ['one two one', '"one two" two one', '[one two] [one]'],
  ['nothing', '', undefined],
])('SEARCH-4, SEARCH-8: the snippet of %j for the query %j is %j', (text, query, snippet) => {
  expect(marked(text, query)).toBe(snippet);
});

test('SEARCH-8: a long text is cut between words around the first hit, with an ellipsis at each cut', () => {
  const text = `${'before '.repeat(100)}needle ${'behind '.repeat(100)}needle`;
  const snippet = marked(text, 'needle');
  expect(snippet).toMatch(/^…(before )+\[needle\]( behind)+…$/);
  expect(snippet?.length).toBeLessThan(170);
  expect(marked(`${'x'.repeat(500)} needle`, 'needle')).toMatch(/^…x{39} \[needle\]$/);
  expect(marked('x'.repeat(500), 'xx')).toMatch(/^\[x{160}\]…$/);
});

test('SEARCH-12: the steps of a text are its words and the comparisons of the query with each word', () => {
  const words = 10_000;
  const text = '的'.repeat(words);
  const stepsOf = (query: string) => {
    const steps: Steps = { count: 0 };
    expect(snippetOf(text, parseQuery(query), steps)).toBeUndefined();
    return steps.count / words;
  };
  // The last word of a part is compared first, so one comparison usually suffices.
  expect(stepsOf(`${'的'.repeat(80)}地`)).toBeLessThan(22);
  expect(stepsOf(`地${'的'.repeat(80)}`)).toBeLessThan(20 + 82);
});

test('SEARCH-8: for any text, a snippet is limited in length, splits no character, and its marks come in pairs', () => {
  const piece = fc.constantFrom('needle', '𠀀', 'é', '👩‍👩‍👧', ' ', '\n', '\u{e000}', '\u{e001}', 'xxxxxxxxxx', '東', '.');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      const text = pieces.join('');
      const snippet = snippetOf(text, parseQuery('needle'));
      if (snippet === undefined) return;
      expect(snippet.isWellFormed()).toBe(true);
      expect(snippet.replaceAll(/[\u{e000}\u{e001}…]/gu, '').length).toBeLessThanOrEqual(160);
      expect(snippet).toMatch(/^[^\u{e000}\u{e001}]*(\u{e000}[^\u{e000}\u{e001}]+\u{e001}[^\u{e000}\u{e001}]*)+$/u);
    }),
  );
});
