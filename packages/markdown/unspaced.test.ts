import { expect, test } from 'vitest';
import { parseMarkdown } from './parse.ts';
import type { Inline } from './tree.ts';
import { textOfInlines } from './text-of.ts';
import { nodesIn } from './walk.ts';

/** What of a text is of a kind, as it is shown. */
const shown = (text: string, ...kinds: Inline['kind'][]): string[] =>
  Array.from(nodesIn(parseMarkdown(text)))
    .filter(({ kind }) => kinds.includes(kind))
    .map((node) => textOfInlines('children' in node ? node.children : [node]));

test.each([
  ['これは**「大事なこと」**です。', '「大事なこと」'],
  ['她说：**我会来的。**然后走了。', '我会来的。'],
  ['**함수(function)**를 부른다', '함수(function)'],
  ['~~取消（了）。~~改天', '取消（了）。'],
  ['*没错！*他说', '没错！'],
  ['请看**“重点”**部分', '“重点”'],
  ['**完了✅**しました', '完了✅'],
  ['葛\u{e0100}**"b"**城', '"b"'],
  ['คือ**"คำตอบ"**ครับ', '"คำตอบ"'],
  ['ឃើញ**(ថ្មី)**ហើយ', '(ថ្មី)'],
  ['𠮷**"b"**𠮷', '"b"'],
])('TEXT-10: of %j, %j is marked', (text, marked) => {
  expect(shown(text, 'strong', 'emphasis', 'strike')).toEqual([marked]);
});

test.each(['a**"b"**c', 'é**"b"**é', 'я**(б)**в', '· **a.**b', 'これは_大事_です'])(
  'TEXT-10: nothing of %j is marked',
  (text) => {
    expect(shown(text, 'strong', 'emphasis', 'strike')).toEqual([]);
  },
);

test.each([
  ['当$n$趋于无穷时', ['$n$']],
  ['函数$f(x)=x^2$的图像，$x>0$。', ['$f(x)=x^2$', '$x>0$']],
  ['関数$g$は', ['$g$']],
  ['ค่า$x$คือ', ['$x$']],
  ['값$y$는', ['$y$']],
  ['单价$5到$10不等', []],
  ['我有$，你也有$。', []],
  ['汇率是 US$5和NT$6', []],
  ['é$x$', []],
])('TEXT-8: the formulas of %j are %j', (text, formulas) => {
  expect(shown(text, 'formula')).toEqual(formulas);
});

test.each([
  ['详见https://a.example/doc查看', ['https://a.example/doc']],
  ['https://a.example的首页', ['https://a.example']],
  ['看www.a.example。好', ['www.a.example']],
  ['（https://a.example/x），', ['https://a.example/x']],
  ['“https://a.example/x”', ['https://a.example/x']],
  ['https://a.example/查看', ['https://a.example/']],
  ['https://a.example:8080に', ['https://a.example:8080']],
  ['www.a.example에서', ['www.a.example']],
  ['ดูhttps://a.example/xครับ', ['https://a.example/x']],
  ['https://a.example/x। और', ['https://a.example/x']],
  ['https://a.example/x… https://a.example/y؟', ['https://a.example/x', 'https://a.example/y']],
  ['https://a.example/wiki/中国。', ['https://a.example/wiki/中国']],
  ['https://a.example/wiki/東京-大阪_2 へ', ['https://a.example/wiki/東京-大阪_2']],
  ['https://a.example/?q=東京&x=1です', ['https://a.example/?q=東京&x=1']],
  ['https://例え.jp/テスト です', ['https://例え.jp/テスト']],
  ['https://a.example/é/ж?ü=1', ['https://a.example/é/ж?ü=1']],
  ['éhttps://a.example', []],
])('TEXT-11: the addresses in %j are %j', (text, addresses) => {
  expect(shown(text, 'link')).toEqual(addresses);
});
