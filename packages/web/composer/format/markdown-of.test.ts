import { expect, test } from 'vitest';
import { htmlTree } from './html-tree.ts';
import { markdownOf } from './markdown-of.ts';

test.each([
  [
    'bold and italic',
    '<p>a <b>bold</b>, <i>slanted</i> and <strong><em>both</em></strong></p>',
    'a **bold**, _slanted_ and **_both_**',
  ],
  ['spaces in marks', 'a<b> bold </b>word', 'a **bold** word'],
  ['a part of a word', 'un<i>believ</i>able', 'un*believ*able'],
  [
    'looks of a style',
    '<span style="font-weight:700">a</span> <span style="font-style:italic">b</span> <s>c</s>',
    '**a** _b_ ~~c~~',
  ],
  [
    'Google Docs',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">plain </span><span style="font-weight:700">bold</span></p><br><ul><li><p>one</p></li><ul><li><p>deep</p></li></ul><li><p>two</p></li></ul></b>',
    'plain **bold**\n\n- one\n  - deep\n- two',
  ],
  [
    'Word',
    '<p class="MsoListParagraphCxSpFirst" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp; </span></span>one</p><p class="MsoListParagraphCxSpLast" style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">2.<span> </span></span>two</p>',
    '- one\n  2. two',
  ],
  [
    'links',
    '<a href="https://a.example/x_(y)?q=1">the page</a> <a href="/local">local</a> <a href="javascript:alert(1)">run</a>',
    '[the page](https://a.example/x_%28y%29?q=1) local run',
  ],
  [
    'a link that is its words',
    '<b>see</b> <a href="https://a.example/">https://a.example/</a>',
    '**see** https://a.example/',
  ],
  ['lists', '<ol start="3"><li>three<li>four<ul><li>deep</li></ul></ol>', '3. three\n4. four\n   - deep'],
  [
    'tasks',
    '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> to do</li></ul>',
    '- [x] done\n- [ ] to do',
  ],
  ['quotes', '<p>he said</p><blockquote><p>one</p><p>two</p></blockquote>', 'he said\n\n> one\n>\n> two'],
  [
    'code',
    'run <code>npm `ci`</code> and<pre><code class="language-js">let a = 1;\n  b();\n</code></pre>',
    'run `` npm `ci` `` and\n\n```js\nlet a = 1;\n  b();\n```',
  ],
  ['code in lines', '<pre><div>one</div><div>  two</div></pre>', '```\none\n  two\n```'],
  ['headings', '<h1><b>Plan</b></h1><h3>Part</h3><p>words</p>', '# Plan\n\n### Part\n\nwords'],
  [
    'tables',
    '<table><tr><th>Item</th><th>Cost</th></tr><tr><td><p>a|b</p></td><td><b>5</b></td></tr></table>',
    '| Item | Cost |\n| --- | --- |\n| a\\|b | **5** |',
  ],
  ['tables of a layout', '<table><tr><td><p>one</p><p><b>two</b></p></td></tr></table>', 'one\n\n**two**'],
  ['line breaks', '<p><b>one</b><br>two</p>', '**one**\ntwo'],
  [
    'signs that are no marks',
    '<p><b>x</b> 2*3*4 `a` snake_case _b_ [1](2)</p><p># no heading</p><p>1. no list</p>',
    '**x** 2\\*3\\*4 \\`a\\` snake_case \\_b\\_ [1\\](2)\n\n\\# no heading\n\n1\\. no list',
  ],
  [
    'what is hidden',
    '<style>p{}</style><script>alert(1)</script><p hidden>x</p><p><b>seen</b><button>Copy</button></p>',
    '**seen**',
  ],
  ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
])('WEB-502: pasted rich text becomes Markdown: %s', (_, html, markdown) => {
  expect(markdownOf(html)).toBe(markdown);
});

test.each([
  ['plain words', '<meta charset="utf-8"><span style="color:red; font-weight:400">a * b</span>'],
  ['lines of an editor', '<div style="white-space: pre;"><div><span>let a;</span></div><div>  b()</div></div>'],
  ['an address', '<a href="https://a.example/x">https://a.example/x</a>'],
  ['nothing', '<b> </b>'],
  ['too many elements', '<b>a</b>'.repeat(20_001)],
])('WEB-502: what has no format is pasted as its words: %s', (_, html) => {
  expect(markdownOf(html)).toBeNull();
});

test.each([
  ['a tag that does not end', '<b>a</b><a href="x'],
  ['a comment that does not end', '<b>a</b><!-- x'],
  ['a script that does not end', '<b>a</b><script>b'],
  ['an end without a beginning', '</p></b></table><b>a</b></i>'],
  ['signs that begin no tag', '<b>a</b><1'],
])('WEB-502: broken HTML loses no words before it breaks: %s', (_, html) => {
  expect(markdownOf(html)).toMatch(/^\*\*a\*\*/);
});

test('WEB-502: no megabyte of HTML takes more than half a second of processor time', () => {
  const pieces = [
    '<span style="font-weight:700"><font><b><i>&nbsp;</i></b></font></span>',
    '<div><b>',
    '<p></p>',
    '<tr><td><td>',
    '<a "',
    "<a '",
    '<!--',
    '<',
    '</b>',
    '<style>',
    '<li><ul>',
    '&amp;',
    '`*_',
    '<i>a</i>',
    ' ',
    '<b>\n',
    '<br>',
  ];
  for (const piece of pieces) {
    const html = `<b>a</b>${piece.repeat(Math.floor((1024 * 1024) / piece.length))}`;
    const begun = process.cpuUsage();
    markdownOf(html);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1_000, piece).toBeLessThan(500);
  }
});

test('WEB-502: elements end where HTML ends them', () => {
  const names = (html: string): string => {
    const shown = (node: Exclude<ReturnType<typeof htmlTree>, null>['children'][number]): string =>
      typeof node === 'string' ? node : `${node.tag}(${node.children.map(shown).join(' ')})`;
    return (htmlTree(html)?.children ?? []).map(shown).join(' ');
  };
  expect(names('<ul><li>a<ul><li>b</ul><li>c</ul>')).toBe('ul(li(a ul(li(b))) li(c))');
  expect(names('<table><tr><td>a<td>b</b><tr><td>c</table>d')).toBe('table(tr(td(a) td(b)) tr(td(c))) d');
  expect(names('<p>a<p>b<br>c<img alt=">">')).toBe('p(a) p(b br() c img())');
  expect(names('&lt;b&gt; &#228; &auml; &nope;')).toBe('<b> ä ä &nope;');
});
