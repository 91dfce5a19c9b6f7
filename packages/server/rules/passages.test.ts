import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sectionsOfPage } from './page-sections.ts';
import { pagesIn, passagesOf, sectionsIn } from './passages.ts';

test('KNOW-3: passages of a text have at most 1,200 units, are whole characters, and lose no word', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('word', '🙂', 'é', '.', '. ', '\n', '\n\n', ' ', '\0', '\ud800'), { maxLength: 4_000 }),
      (pieces) => {
        const text = pieces.join('');
        const passages = passagesOf([{ text }]);
        for (const { text: one } of passages) {
          expect(one.length).toBeLessThanOrEqual(1_200);
          expect(one.isWellFormed()).toBe(true);
          expect(one).not.toContain('\0');
        }
        const squeezed = (given: string): string => given.replaceAll(/\s+/g, '');
        const kept = squeezed(passages.map(({ text: one }) => one).join(''));
        expect(kept).toBe(squeezed(text.replaceAll('\0', '\ufffd').toWellFormed()));
      },
    ),
  );
});

test('KNOW-3: passages have the headings above them, or their page', () => {
  const text = 'before\n# One\na\n### Three ###\nb\n```\n# no heading\n```\n## Two\nc\n# Last\nd';
  expect(passagesOf(sectionsIn(text))).toEqual([
    { text: 'before' },
    { heading: 'One', text: 'a' },
    { heading: 'One › Three', text: 'b\n```\n# no heading\n```' },
    { heading: 'One › Two', text: 'c' },
    { heading: 'Last', text: 'd' },
  ]);
  expect(passagesOf(sectionsIn('# One\u202e\ttwo\u0007\na'))).toEqual([{ heading: 'One two', text: 'a' }]);
  expect(passagesOf(pagesIn('one\f\fthree'))).toEqual([
    { page: 1, text: 'one' },
    { page: 3, text: 'three' },
  ]);
});

test('KNOW-3: of a page its text is read below its headings, without scripts, navigation and what nobody sees', () => {
  const page = `<!doctype html><head><title>A &amp; B</title><style>canary</style></head><body><nav>canary<nav>canary</nav></nav>
    <h1>Top<br>line</h1><p>one<p>two   words<script>canary</script><ul><li>three<li>four</ul>
    <h2>Below</h2><table><tr><td>a</td><td>b</td></tr></table><svg><text>canary</text></svg><footer>canary</footer>`;
  const { title, sections, isCut } = sectionsOfPage(page, 1_000);
  expect(title).toBe('A & B');
  expect(isCut).toBe(false);
  expect(JSON.stringify(sections)).not.toContain('canary');
  expect(sections.map(({ heading }) => heading)).toEqual(['Top line', 'Top line › Below']);
  expect(sections[0]?.text.split(/\n+/)).toEqual(['one', 'two words', 'three', 'four']);
  expect(sections[1]?.text).toContain('a b');
  expect(sectionsOfPage('1234567890', 5)).toMatchObject({ sections: [{ text: '12345' }], isCut: true });
  expect(sectionsOfPage('<h1><h1><div></h1><script>', 5).sections).toEqual([]);
});
