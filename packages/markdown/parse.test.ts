import { expect, test } from 'vitest';
import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import { fileAddress, isMisleading } from './addresses.ts';
import { normalForm } from './normal-form.ts';
import { parseMarkdown } from './parse.ts';
import { textOfBlocks } from './text-of.ts';
import type { Block, Inline } from './tree.ts';

const inline = (text: string): readonly Inline[] => {
  const [block] = parseMarkdown(text);
  return block?.kind === 'paragraph' ? block.children : [];
};
/** A short notation for blocks, named after HTML elements. */
function outline(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'quote':
          return `quote(${outline(block.blocks)})`;
        case 'tag':
          return `${block.name}(${outline(block.blocks)})`;
        case 'list': {
          const mark = (isDone: boolean | null): string => (isDone === null ? '' : isDone ? '✓' : '☐');
          const items = block.items.map(({ isDone, blocks: inner }) => mark(isDone) + outline(inner));
          return `${block.start === null ? 'ul' : `ol${block.start}`}${block.isLoose ? '~' : ''}(${items.join('; ')})`;
        }
        case 'table':
          return `table(${[block.head, ...block.rows].map((row) => row.map((cell) => textOfBlocks([{ kind: 'paragraph', children: cell }])).join('|')).join(' / ')})`;
        case 'code':
          return `code[${block.info}](${block.text})`;
        case 'rule':
          return 'hr';
        case 'footnote':
          return `note${block.number}(${textOfBlocks([{ kind: 'paragraph', children: block.children }])})`;
        default:
          return `${block.kind === 'heading' ? `h${block.level} ` : ''}${textOfBlocks([block])}`;
      }
    })
    .join(', ');
}

test.each([
  ['a\nb\n\nc', 'a\nb, c'],
  ['# a #\n####### b', 'h1 a, ####### b'],
  ['a\n---\nb', 'a, hr, b'],
  ['> a\n> > b\nc', 'quote(a, quote(b)), c'],
  ['- a\n- b\n  - c\n\n  d', 'ul~(a; b, ul(c), d)'],
  ['1. a\nb\n2. c\n\nd', 'ol1(a\nb; c), d'],
  ['- a\n  - b\nc\n# d', 'ul(a, ul(b\nc)), h1 d'],
  ['- ```\n  a\nb', 'ul(code[](a)), b'],
  ['- > a\nb\n- c', 'ul(quote(a)), b, ul(c)'],
  ['- a | b\n--|--\nc', 'ul(a | b\n--|--\nc)'],
  ['1. a\n  - b\n  2. c\n  1. d', 'ol1(a, ul(b); c; d)'],
  ['\t- a\n-\tb\n\n\t\tc', 'code[](- a), ul~(b, code[](c))'],
  ['3. a\n  - b\n4. c', 'ol3(a, ul(b); c)'],
  ['- a\n\n- b\n* c', 'ul~(a; b), ul(c)'],
  ['- [ ] a\n- [x] b\n- [y] c', 'ul(☐a; ✓b; [y] c)'],
  ['a[^1]\n[^1]: b\nc\n[^20]: d', 'a1, note1(b\nc), note20(d)'],
  ['[^0]: a\n[^abc]: b\n\n[^1]:c', '[^0]: a\n[^abc]: b, 1:c'],
  ['so\n2024. it was', 'so\n2024. it was'],
  ['```ts x\n# a\n\n<b>\n```\nc', 'code[ts x](# a\n\n<b>), c'],
  ['- a\n  ```\n  b\n   c\n  ```', 'ul(a, code[](b\n c))'],
  ['~~~\nopen', 'code[](open)'],
  ['    code\n\n      more\nx', 'code[](code\n\n  more), x'],
  ['a\n| x | y |\n|--|:-:|\n| 1 | `a|b` | 3 |\n| 4\nz', 'a, table(x|y / 1|a|b|3 / 4), z'],
  ['x | y\n- | -\n\\| | b', 'table(x|y / ||b)'],
  ['- a\n{% card title="b" /%}\nc', 'ul(a), \nc'],
  ['- use `a\n{% b` here', 'ul(use a {% b here)'],
])('TEXT-6: the blocks of %j', (text, expected) => {
  expect(outline(parseMarkdown(text))).toBe(expected);
});

const text = (value: string) => ({ kind: 'text', text: value });
const link = (url: string, label: string) => ({ kind: 'link', url, children: [text(label)] });
test.each([
  ['**a** _b_ ~~c~~ `d`', ['strong', 'text', 'emphasis', 'text', 'strike', 'text', 'code']],
  ['snake_case_name 2*3*4', ['text', 'emphasis', 'text']],
  ['***a** b*', ['emphasis']],
  ['a\nb', ['text', 'break', 'text']],
  ['~5 min, ~ 10 ~~~', ['text']],
])('TEXT-6: the marks in %j', (given, kinds) => {
  expect(inline(given).map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  [
    'see https://a.example/x_(y)_z?q=1#f.',
    [text('see '), link('https://a.example/x_(y)_z?q=1#f', 'https://a.example/x_(y)_z?q=1#f'), text('.')],
  ],
  ['(www.a.example/b)', [text('('), link('https://www.a.example/b', 'www.a.example/b'), text(')')]],
  ['[a](https://b.example "t")', [link('https://b.example/', 'a')]],
  ['[a](<https://b.example/c>)', [link('https://b.example/c', 'a')]],
  [
    '[*https://a.example*](https://b.example)',
    [
      {
        kind: 'link',
        url: 'https://b.example/',
        children: [{ kind: 'emphasis', children: [text('https://a.example')] }],
      },
    ],
  ],
  ['[a [b](https://b.example) c](/x)', [text('[a '), link('https://b.example/', 'b'), text(' c](/x)')]],
  [
    '[a [b](https://b.example)](https://c.example)',
    [
      text('[a '),
      link('https://b.example/', 'b'),
      text(']('),
      link('https://c.example/', 'https://c.example'),
      text(')'),
    ],
  ],
  ['[a](javascript:alert(1))', [text('[a](javascript:alert(1))')]],
  ['[a](//b.example)', [text('[a](//b.example)')]],
  ['[](https://b.example)', [text('[]('), link('https://b.example/', 'https://b.example'), text(')')]],
  ['https://bank.example@evil.example', [text('https://bank.example@evil.example')]],
  ['![a *b*](https://c.example/d.png)', [{ kind: 'image', url: 'https://c.example/d.png', alt: 'a b' }]],
  ['![a](/files/d/e.png?x=1)', [{ kind: 'image', url: '/files/d/e.png?x=1', alt: 'a' }]],
  ['![a](/api/x)', [text('![a](/api/x)')]],
  ['Thanks.@Bob', [text('Thanks.'), { kind: 'mention', username: 'bob', text: '@Bob' }]],
  ['hi @Bob, a@b.c', [text('hi '), { kind: 'mention', username: 'bob', text: '@Bob' }, text(', a@b.c')]],
  ['<b onclick="x">hi</b> &lt;', [text('<b onclick="x">hi</b> <')]],
  ['[a](https://b.example/?x=1&amp;y=2)', [link('https://b.example/?x=1&y=2', 'a')]],
  [String.raw`[a](https://b.example "say \"[b]\" \`c")`, [link('https://b.example/', 'a')]],
  ['[a](<https://b.example/c d>)', [text('[a](<'), link('https://b.example/c', 'https://b.example/c'), text(' d>)')]],
  ['[a](https://b.example/[c])', [link('https://b.example/[c]', 'a')]],
  ['[a](javascript&colon;alert(1))', [text('[a](javascript&colon;alert(1))')]],
  ['[a](&#106;avascript:alert(1))', [text('[a](javascript:alert(1))')]],
  ['<ann@b.example> &#64;bob', [link('mailto:ann@b.example', 'ann@b.example'), text(' @bob')]],
  ['`a\\|b` &amp;lt; \\&amp;', [{ kind: 'code', text: 'a\\|b' }, text(' &lt; &amp;')]],
])('TEXT-2: the links of %j', (given, expected) => {
  expect(inline(given)).toEqual(expected);
});

test.each([
  [
    '{% card title="a" n=-1.5 ok=true list=["b", {c: null}] /%}',
    [{ title: 'a', n: -1.5, ok: true, list: ['b', { c: null }] }],
  ],
  ['{% card body="a\nb" /%}', [{ body: 'a\nb' }]],
  ['{% button action="x" %}Buy it{% /button %}', [{ action: 'x', label: 'Buy it' }]],
  ['{% ticker symbol="A" %}', [{ symbol: 'A' }]],
  ['100% of {% and %}', []],
  ['{% script src="x" /%}', []],
  ['{% card title=$x /%}', []],
  ['{% card title=f() /%}', []],
  ['{% card title="a', []],
  ['{% card title="a" %}', []],
  ['`{% card /%}` \\{% card /%}', []],
  ['{% constructor /%}{% toString /%}', []],
])('TEXT-4: the tags of %j', (given, expected) => {
  const tags = inline(given).filter((node) => node.kind === 'tag');
  expect(tags.map(({ attributes }) => attributes)).toEqual(expected);
  if (expected.length === 0) expect(textOfBlocks(parseMarkdown(given))).toBe(given.replaceAll(/`|\\/g, ''));
});

test.each([
  ['{% card title="x" %}\n# a\n\n- b\n{% /card %}\nc', 'card(h1 a, ul(b)), c'],
  ['{% columns %}{% card %}a{% /card %}{% card %}b{% /card %}{% /columns %} c', 'columns(card(a), card(b)), c'],
  ['{% card %}\n```\n{% /card %}\n```\n`{% /card %}`\n{% /card %}', 'card(code[]({% /card %}), {% /card %})'],
  ['a {% card %} b {% /card %}', 'a {% card %} b {% /card %}'],
  ['{% card %}\n{% form %}\n{% /card %}\n{% /form %}', 'card({% form %}), {% /form %}'],
  ['> {% card %}\n> a\n> {% /card %}', 'quote({% card %}\na\n{% /card %})'],
  ['{% card title="a\n\nb" /%}', 'card()'],
])('TEXT-4: tags with content in %j', (given, expected) => {
  expect(outline(parseMarkdown(given))).toBe(expected);
});

test.each([
  ['https://bank.example', 'https://evil.example/', true],
  ['bank.example/login', 'https://bank.example.evil.example/', true],
  ['example.com', 'https://www.example.com/a', false],
  ['the report', 'https://evil.example/', false],
  ['read more. Then', 'https://evil.example/', false],
  ['bank\u200b.example', 'https://evil.example/', true],
  ['bank.ex\u00adam\u2060ple', 'https://evil.example/', true],
  ['bank.example.', 'https://evil.example/', true],
  ['(bank.example)', 'https://evil.example/', true],
  ['\u201cbank.example\u201d', 'https://evil.example/', true],
  ['\u2192 bank.example!', 'https://evil.example/', true],
  ['[https://bank.example/login]', 'https://evil.example/', true],
  ['log in at bank.example', 'https://evil.example/', true],
  ['bank\u3002example', 'https://evil.example/', true],
  ['\uff42ank\uff0eexample', 'https://evil.example/', true],
  ['\u202eelpmaxe.knab', 'https://evil.example/', true],
  ['ann@bank.example', 'https://evil.example/', true],
  ['bank.example\\login', 'https://evil.example/', true],
  ['bank.example\u2044login', 'https://evil.example/', true],
  ['.bank.example', 'https://evil.example/', true],
  ['a..bank.example', 'https://evil.example/', true],
  ['see:bank.example', 'https://evil.example/', true],
  ['1.1.bank.example', 'https://evil.example/', true],
  ['version 1.2.3', 'https://evil.example/', false],
  ['example.com/bank.example', 'https://example.com/', false],
  ['(example.com).', 'https://example.com./', false],
  ['mail ann@bank.example', 'mailto:ann@bank.example', false],
])('TEXT-2: the label %j for %j misleads: %j', (label, url, expected) => {
  expect(isMisleading(label, url)).toBe(expected);
});

test.each(['1.', 'a.', 'a', '.', '1.a_', 'a.b/', 'a.b '])(
  'TEXT-3: checking a label of many %j takes linear time',
  (piece) => {
    const label = (size: number) => piece.repeat(size / piece.length);
    expect(isLinear((text) => isMisleading(text, 'https://evil.example/'), label, 4_000)).toBe(true);
  },
);

test.each([
  ['/files/a?sig=b', true],
  ['https://a.example/b', true],
  ['//evil.example', false],
  ['/\\evil.example', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['', false],
])('TEXT-2: a file may be at %j: %j', (address, expected) => {
  expect(fileAddress(address) !== undefined).toBe(expected);
});

test('ERR-13: normalizing a text of many combining marks takes linear time, and changes no usual text', () => {
  const marks = (size: number) => '\u0301\u0323'.repeat(size / 2);
  expect(isLinear((text) => normalForm(text, 'NFKD'), marks, 65_536)).toBe(true);
  for (const text of ['é', 'ﬁ', 'ä̖̗', 'क्षि', 'ﾊﾟ', `a${'\u0301'.repeat(30)}`])
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
      expect(normalForm(text, form)).toBe(text.normalize(form));
});

test('TEXT-8: a formula that begins in code leaves the lines below as they are', () => {
  expect(parseMarkdown('`$$`\n```\n$$\n```').at(1)).toEqual({ kind: 'code', info: '', text: '$$' });
});
