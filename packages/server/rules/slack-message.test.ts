import { isLinear } from '@parley/testing/clocks/linear-time.ts';
import { runsOf } from '@parley/testing/depth.ts';
import { blocksOf, parseMarkdown } from '@parley/markdown';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlackMessage, slackText } from './slack-message.ts';
import { markdownOf } from './slack-mrkdwn.ts';

test.each([
  ['*bold* and _italic_ and ~gone~', '**bold** and _italic_ and ~~gone~~'],
  ['2 * 3 * 4, a*b*c, ** and ~ ~', '2 * 3 * 4, a*b*c, ** and ~ ~'],
  ['<https://a.example/x?a=1&amp;b=2|a *link*>', String.raw`[a \*link\*](https://a.example/x?a=1&b=2)`],
  ['see <https://a.example>', 'see https://a.example'],
  ['<mailto:a@b.example|a@b.example>', '[a@b.example](mailto:a@b.example)'],
  ['<https://a.example/(x)|x>', '[x](https://a.example/%28x%29)'],
  ['<javascript:alert(1)|press>', String.raw`\<javascript:alert(1)\|press\>`],
  ['<@ann> <@U123|ann> in <#C1|general>', '@ann @U123 in #general'],
  ['<!here> <!channel>', '@here @channel'],
  ['<!date^1392734382^{date}|18 February>', '18 February'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt;', String.raw`1 < 2 && 3 > 2, \&lt;`],
  ['&amp;#42; R&amp;D; `&amp;lt;`', String.raw`\&#42; R\&D; ` + '`&lt;`'],
  ['<https://a.example/?a=1&amp;lt;2|x &amp;copy;>', String.raw`[x \&copy;](https://a.example/?a=1&lt%3B2)`],
  ['`*code* <x|y>` *bold*', '`*code* <x|y>` **bold**'],
  ['```\n*code* &lt;b&gt;\n```', '```\n*code* <b>\n```'],
  ['[no link](https://a.example)', String.raw`[no link\](https://a.example)`],
  ['{% button action="x" /%}', String.raw`\{% button action="x" /%}`],
  ['\\ $5 and $6, a | b', String.raw`\\ \$5 and \$6, a \| b`],
  ['\\`{% a /%}`', String.raw`\\` + '`{% a /%}`'],
  ['# no heading\nC#, #12\n> ## none', '\\# no heading\nC#, #12\n> \\#\\# none'],
  ['~~a~~', String.raw`\~\~a\~\~`],
  ['a ``` b', 'a \\`\\`\\` b'],
  ['Built!<https://a.example|log> [1]', String.raw`Built\![log](https://a.example) [1\]`],
  ['see ```a\n\nb``` there', 'see \n```\na\n\nb\n```\n there'],
  ['<@a b> <#C1|a*> <https://a.example/{%|}>', String.raw`@a b #a\* [\}](https://a.example/%7B%)`],
])('WEBHOOK-5: Slack’s %s as Markdown', (slack, markdown) => {
  expect(markdownOf(slack)).toBe(markdown);
});

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });

test('WEBHOOK-5: blocks become Markdown, as far as they can be shown', () => {
  const blocks = [
    { type: 'header', text: plain('Build *217*') },
    { type: 'section', text: mrkdwn('*failed*'), fields: [mrkdwn('*branch*\nmain'), plain('by ann')] },
    {
      type: 'section',
      text: mrkdwn('log'),
      accessory: { type: 'button', text: plain('Open'), url: 'https://a.example' },
    },
    { type: 'divider' },
    {
      type: 'context',
      elements: [{ type: 'image', image_url: 'https://a.example/i.png', alt_text: 'ann' }, mrkdwn('ann')],
    },
    { type: 'image', title: plain('A graph'), image_url: 'https://a.example/g.png', alt_text: 'load' },
    {
      type: 'actions',
      elements: [
        { type: 'button', text: plain('Retry'), action_id: 'retry' },
        { type: 'button', text: plain('Log'), url: 'https://a.example/log' },
        { type: 'button', text: plain('Diff'), url: 'https://a.example/diff' },
      ],
    },
    { type: 'input', label: plain('unknown') },
    null,
  ];
  expect(slackText({ text: 'for notifications', blocks })).toBe(
    [
      String.raw`## Build \*217\*`,
      '**failed**\n**branch**\nmain\nby ann',
      'log\n[Open](https://a.example)',
      '---',
      '[ann](https://a.example/i.png) ann',
      'A graph\n[load](https://a.example/g.png)',
      '[Log](https://a.example/log) · [Diff](https://a.example/diff)',
    ].join('\n\n'),
  );
});

test('WEBHOOK-5: without a block that can be shown the text is; blocks above 50 are left out', () => {
  expect(slackText({ text: '*x*', blocks: [{ type: 'input' }] })).toBe('**x**');
  expect(slackText({ blocks: 'no list', text: 7 })).toBe('');
  const blocks = Array.from({ length: 60 }, (_, at) => ({ type: 'section', text: plain(String(at)) }));
  expect(slackText({ blocks }).split('\n\n')).toHaveLength(50);
});

test('WEBHOOK-5: attachments become Markdown below the text, with their fallback if nothing else of them can be shown', () => {
  const attachments = [
    {
      color: 'danger',
      fallback: 'for notifications',
      pretext: 'from *monitor*',
      author_name: 'ann',
      title: '[FIRING:1] Disk *full*',
      title_link: 'https://a.example/alert',
      text: '*node-1*: <https://a.example/run|runbook>',
      fields: [{ title: 'Severity', value: '`high`', short: true }, { value: 'no title' }, { title: 'no value' }],
      image_url: 'https://a.example/g.png',
      actions: [
        { type: 'button', text: 'Silence', url: 'https://a.example/silence' },
        { type: 'button', text: 'Acknowledge', name: 'ack' },
      ],
      footer: 'Monitor v1_2',
    },
    { fallback: 'only *this*' },
    { blocks: [{ type: 'section', text: mrkdwn('in a *block*') }] },
    { color: '#fff' },
    null,
  ];
  expect(slackText({ text: '*one* alert', attachments })).toBe(
    [
      '**one** alert',
      [
        'from **monitor**',
        'ann',
        String.raw`**[[FIRING:1\] Disk \*full\*](https://a.example/alert)**`,
        '**node-1**: [runbook](https://a.example/run)',
      ].join('\n'),
      '**Severity**: `high`\nno title\n**no value**',
      '[image](https://a.example/g.png)',
      '[Silence](https://a.example/silence)',
      String.raw`Monitor v1\_2`,
      String.raw`only \*this\*`,
      'in a **block**',
    ].join('\n\n'),
  );
  const many = Array.from({ length: 30 }, (_, at) => ({ text: String(at) }));
  expect(slackText({ attachments: many }).split('\n\n')).toHaveLength(20);
});

test('WEBHOOK-5: nothing in a message becomes a tag, a formula, a table, a heading or a picture', () => {
  const signs =
    '` `` ``` ~ ~~~ - > \\ $ $$ | --- |-|-| # { % {% /%} ![ ](https://a.example) < <!x| <@ <#C| &lt; &amp; * [^1] a :';
  const tags = ['{% button action="x" /%}', '{% button action="x" %}', '{% /button %}', '<https://a.example/'];
  const piece = fc.constantFrom(...signs.split(' '), ...tags, ' ', '    ', '\n', '\n\n', '\r');
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => mrkdwn(pieces.join('')));
  const foreign = ['tag', 'markup', 'formula', 'table', 'heading', 'image', 'footnote', 'footnote mark'];
  const foreignIn = (markdown: string) => {
    const tree = JSON.stringify([...blocksOf(markdown)]);
    return foreign.filter((kind) => tree.includes(`"kind":"${kind}"`));
  };
  fc.assert(
    fc.property(text, text, (one, two) => {
      const blocks = [
        { type: 'section', text: one, fields: [two] },
        { type: 'context', elements: [two, one] },
        { type: 'actions', elements: [one, two] },
      ];
      const attachment = {
        pretext: one.text,
        title: two.text,
        text: two.text,
        fields: [{ title: one.text, value: two.text }],
      };
      expect(foreignIn(markdownOf(one.text))).toEqual([]);
      expect(foreignIn(slackText({ attachments: [attachment, { fallback: one.text, footer: two.text }] }))).toEqual([]);
      expect(foreignIn(slackText({ blocks }))).toEqual([]);
      expect(
        foreignIn(slackText({ blocks: [{ type: 'header', text: one }] })).filter((kind) => kind !== 'heading'),
      ).toEqual([]);
    }),
    { numRuns: runsOf(2_000) },
  );
});

/** Every text in code, in order, and the kinds of everything else that is not a text. */
const codesIn = (markdown: string): string[] =>
  [
    ...JSON.stringify(parseMarkdown(markdown)).matchAll(
      /"kind":"code",(?:"info":"(?:[^"\\]|\\.)*",)?"text":"((?:[^"\\]|\\.)*)"/g,
    ),
  ].map(([, text]) => text ?? '');
const liveIn = (markdown: string): string[] =>
  ['tag', 'markup', 'formula'].filter((kind) => JSON.stringify(parseMarkdown(markdown)).includes(`"kind":"${kind}"`));
const TAG = '{% button action="x" /%}';

test.each([
  ['a span with longer marks', `\`\`\`{% button action="x" %}\`\`\`\``],
  ['fences within a line', `x \`\`\`\n\n${TAG} $a$\n\n\`\`\``],
  ['a backtick in one paragraph and one in the next', `a \`\n\n${TAG} $a$ \``],
  ['a fence that a longer one does not open', `\`\`\`\`\na\n\`\`\`\n${TAG}\n\`\`\`\`\n${TAG}`],
  ['a span over lines, with a tag at the beginning of one', '`a\n{% card %}\n$a$\n{% /card %}\n`'],
  ['a tag with a backtick in it', '{% button label="`" /%} $a$ `b`'],
  ['a formula in round brackets with a backtick in it', String.raw`\(` + '`' + String.raw`\)` + '`$a$`'],
  ['an address with a backtick in it', '<https://a.example/`{%``>{% a="`" /%}'],
  ['a formula with a backtick in it', '$`$ {% button action="x" /%} `b`'],
])('WEBHOOK-5: in standard Markdown only what is code stays as it is: %s', (_what, text) => {
  expect(liveIn(slackText({ blocks: [{ type: 'markdown', text }] }))).toEqual([]);
});

test('WEBHOOK-5: code of standard Markdown shows no backslash that it did not have', () => {
  const code = '$1 {% a /%} @ann';
  for (const text of [`~~~ $\n${code}\n~~~`, `    ${code}`, `\`\` ${code} \`\``, `> - ~~~~\n>   ${code}\n`]) {
    const markdown = slackText({ blocks: [{ type: 'markdown', text }] });
    expect([codesIn(markdown).map((one) => one.trim()), liveIn(markdown)], markdown).toEqual([[code], []]);
  }
});

test('WEBHOOK-5: code that a block of standard Markdown leaves open ends with the block', () => {
  const blocks = [
    { type: 'markdown', text: '~~~~\n$a$' },
    { type: 'section', text: mrkdwn(`\`\`\`${TAG}\`\`\``) },
    { type: 'markdown', text: '```\n$a$' },
    { type: 'section', text: mrkdwn(`\`\`\`${TAG}\`\`\` after`) },
  ];
  const markdown = slackText({ blocks });
  expect(liveIn(markdown)).toEqual([]);
  expect(codesIn(markdown).map((text) => JSON.parse(`"${text}"`))).toEqual(['$a$', TAG, '$a$', TAG]);
});

test('WEBHOOK-5: nothing in standard Markdown becomes a tag or a formula', () => {
  const signs =
    '` `` ``` ```` ~~~ ~~~~ > - 1. \\ $ $$ | |-|-| # {% %} /%} \\[ \\] \\( \\) ![a] [a] (https://a.example) < > <https://a.example/ &amp; * ** a @ann :tada:';
  const tags = [TAG, '{% card %}', '{% /card %}', '{% a="`" /%}', '$a$', '`{%`', '`$a$`'];
  const piece = fc.constantFrom(...signs.split(' '), ...tags, ' ', '    ', '\t', '\n', '\n\n', '\n', '\r\n');
  const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, text, (one, two) => {
      const blocks = [
        { type: 'markdown', text: one },
        { type: 'section', text: mrkdwn(`\`\`\`${TAG}\`\`\``) },
        { type: 'markdown', text: two },
      ];
      expect(liveIn(slackText({ blocks: blocks.slice(0, 1) }))).toEqual([]);
      expect(liveIn(slackText({ blocks }))).toEqual([]);
    }),
    { numRuns: runsOf(2_000) },
  );
});

test('WEBHOOK-5: Slack’s form is recognized by its own fields and by how it writes links and mentions', () => {
  for (const body of [
    { blocks: [] },
    { text: 'x', username: 'ci' },
    { text: '<https://a.example|a>' },
    { text: '<@U1>' },
    { text: '<!here>' },
    { attachments: [{ fallback: 'x' }] },
    { text: 'x', attachments: [{ title: 'x', color: 'good' }] },
  ])
    expect(isSlackMessage(body), JSON.stringify(body)).toBe(true);
  for (const body of [
    { text: '*x*' },
    { text: '<https://a.example>' },
    { text: 'a < b | c > d' },
    { text: '<!-- x -->' },
    { text: 'x', attachments: [{ kind: 'link', title: 'x', url: 'https://a.example' }] },
    { attachments: [{ id: '7', text: 'x' }] },
    { attachments: [{ name: 'x' }, 'x'] },
    {},
  ])
    expect(isSlackMessage(body), JSON.stringify(body)).toBe(false);
});

test.each(['*a ', '<', '<a|', '`', '```', '~a ', '~~', '<@', '* ', '# ', '[{%', '```a```'])(
  'WEBHOOK-5: the time for %j, repeated many times, is linear in the text',
  (piece) => {
    const read = (text: string) => [
      isSlackMessage({ text }),
      markdownOf(text),
      slackText({ blocks: [{ type: 'markdown', text }] }),
    ];
    expect(isLinear(read, (size) => piece.repeat(size / piece.length), 50_000)).toBe(true);
    for (const shown of read(piece.repeat(1_000)).slice(1)) expect(shown).not.toBe('');
  },
);

const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements });
const section = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });
const shown = (...blocks: unknown[]) => slackText({ blocks });

test.each([
  [[words('Build '), words('failed', { bold: true }), words('\n')], 'Build **failed**'],
  [[words('a ', { bold: true }), words('b', { bold: true }), words(' c', { italic: true })], '**a b** *c*'],
  [[words('a', { bold: true, italic: true, strike: true })], '~~***a***~~'],
  [[words(' two\nlines ', { bold: true })], ' **two**\n**lines** '],
  [[words('a `b` *c*', { code: true })], '``a `b` *c*``'],
  [[words('*no* <mark> {% a /%} $5')], String.raw`\*no\* \<mark\> \{% a /%\} \$5`],
  [[{ type: 'link', url: 'https://a.example/1', text: 'main' }], '[main](https://a.example/1)'],
  [[{ type: 'link', url: 'https://a.example/1' }], 'https://a.example/1'],
  [[{ type: 'link', url: 'https://a.example/1', text: 'x', style: { bold: true } }], '**[x](https://a.example/1)**'],
  [[{ type: 'link', url: 'javascript:alert(1)', text: 'press' }], 'press'],
  [
    [
      { type: 'emoji', name: 'tada' },
      { type: 'emoji', name: 'x', unicode: '1f44b-1f3fd' },
    ],
    '🎉👋🏽',
  ],
  [[{ type: 'emoji', name: 'our_own' }], ':our_own:'],
  [
    [
      { type: 'user', user_id: 'U1' },
      { type: 'channel', channel_id: 'C1' },
    ],
    '@U1#C1',
  ],
  [
    [
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'broadcast', range: 'here' },
    ],
    '@S1@here',
  ],
  [[{ type: 'date', timestamp: 1_720_710_212, format: '{date}', fallback: '11 July' }], '11 July'],
  [[{ type: 'date', timestamp: 1_720_710_212, format: '{date}' }], '2024-07-11 15:03 UTC'],
  [
    [
      { type: 'color', value: '#ff0000' },
      { type: 'team', team_id: 'T1' },
    ],
    String.raw`\#ff0000T1`,
  ],
  [[{ type: 'novelty', text: 'new' }], 'new'],
])('WEBHOOK-5: elements of a rich text become Markdown: %j', (elements, markdown) => {
  expect(slackText({ text: 'x', blocks: [rich(section(...elements))] })).toBe(markdown);
});

test('WEBHOOK-5: lists, quotes and code of a rich text become Markdown', () => {
  const list = (style: string, indent: number, ...texts: string[]) => ({
    type: 'rich_text_list',
    style,
    indent,
    elements: texts.map((text) => section(words(text))),
  });
  expect(
    shown(
      rich(
        section(words('Services:\n')),
        list('bullet', 0, 'api', 'web'),
        list('ordered', 1, 'one', 'two\nlines'),
        { ...list('ordered', 0, 'three'), offset: 2 },
        { type: 'rich_text_quote', elements: [words('said\n\nann')] },
        { type: 'rich_text_preformatted', elements: [words('*a*\n```\n'), { type: 'link', url: 'https://a.example' }] },
      ),
    ),
  ).toBe(
    [
      'Services:',
      '- api\n- web\n    1. one\n    2. two\n        lines\n3. three',
      '> said\n>\n> ann',
      '````\n*a*\n```\nhttps://a.example\n````',
    ].join('\n\n'),
  );
});

test('WEBHOOK-5: a rich text beside another block, and alone, is the message', () => {
  const report = rich(section(words('3 services failed: api, web, db')));
  expect(slackText({ text: 'x', blocks: [{ type: 'header', text: plain('Deploy report') }, report] })).toBe(
    '## Deploy report\n\n3 services failed: api, web, db',
  );
  expect(isSlackMessage({ blocks: [report] })).toBe(true);
});

test('WEBHOOK-5: blocks of standard Markdown, tables and videos become Markdown', () => {
  expect(shown({ type: 'markdown', text: '# Title\n**b** {% a /%} $5 \\[x\\] `$1 {%` :tada: \\$' })).toBe(
    '# Title\n**b** \\{% a /%} \\$5 [x\\] `$1 {%` 🎉 \\$',
  );
  const raw = (text: string) => ({ type: 'raw_text', text });
  const rows = [
    [raw('Service'), raw('Time | s')],
    [rich(section(words('api', { bold: true }))), raw('1\n2')],
    [raw('web')],
  ];
  const column_settings = [{ align: 'left' }, { align: 'right' }];
  expect(shown({ type: 'table', rows, column_settings })).toBe(
    '| Service | Time \\| s |\n| :-- | --: |\n| **api** | 1 2 |\n| web |  |',
  );
  expect(shown({ type: 'data_table', caption: 'Load', rows: [[raw('a')], [{ type: 'raw_number', value: 5 }]] })).toBe(
    '**Load**\n\n| a |\n| --- |\n| 5 |',
  );
  const video = {
    type: 'video',
    title: plain('Use &amp; care'),
    title_url: 'https://v.example/1',
    description: plain('A film'),
    author_name: 'Ann',
    provider_name: 'V',
    video_url: 'https://v.example/embed/1',
    thumbnail_url: 'https://v.example/1.png',
    alt_text: 'a film',
  };
  expect(shown(video)).toBe('**[Use & care](https://v.example/1)**\nA film\nAnn · V');
});

test('WEBHOOK-5: alerts, cards, containers and plans become Markdown', () => {
  const button = { type: 'button', text: plain('Open'), url: 'https://a.example/' };
  const card = { type: 'card', title: mrkdwn('*Disk*'), body: mrkdwn('full'), actions: [button] };
  expect(shown({ type: 'alert', level: 'error', text: mrkdwn('*down*\nsince 8') })).toBe('> **down**\n> since 8');
  expect(shown({ type: 'carousel', elements: [card] })).toBe('**Disk**\nfull\n[Open](https://a.example/)');
  expect(shown({ type: 'container', title: plain('Box'), child_blocks: [rich(section(words('in it')))] })).toBe(
    '**Box**\n\nin it',
  );
  const done = { type: 'task_card', title: 'Search', status: 'complete', output: rich(section(words('3 found'))) };
  expect(shown({ type: 'plan', title: 'Work', tasks: [done] })).toBe('**Work**\n\n✅ **Search**\n\n3 found');
});

test('WEBHOOK-5: the texts of a block that nobody here knows are shown, and nothing else of it', () => {
  const unknown = {
    type: 'hologram',
    block_id: 'b1',
    title: 'A *title*',
    settings: { style: 'big', action_id: 'a' },
    parts: [mrkdwn('*bold*'), { label: plain('a label'), url: 'https://a.example' }, rich(section(words('rich')))],
  };
  expect(shown(unknown)).toBe(['A \\*title\\*', '**bold**', 'a label', 'rich'].join('\n'));
});

test('WEBHOOK-5: links, entities and emoji are read in titles, footers, names of fields and plain texts', () => {
  const attachment = {
    author_name: 'R&amp;D',
    title: 'a &lt;b&gt; &amp; <https://a.example/x|x>',
    footer: 'by <https://a.example/ann|Ann &amp; Bob> :tada: *no bold*',
    fields: [{ title: 'Q&amp;A', value: '1 &lt; 2' }],
  };
  const author = 'R&D';
  expect(slackText({ attachments: [attachment] })).toBe(
    [
      `${author}\n**a \\<b\\> & [x](https://a.example/x)**`,
      '**Q&A**: 1 < 2',
      String.raw`by [Ann & Bob](https://a.example/ann) 🎉 \*no bold\*`,
    ].join('\n\n'),
  );
  const linked = { title: 'see <https://a.example/x|x> &amp; y', title_link: 'https://b.example/' };
  expect(slackText({ attachments: [linked] })).toBe('**[see x & y](https://b.example/)**');
  expect(shown({ type: 'header', text: plain('Q&amp;A :tada:') })).toBe('## Q&A 🎉');
});

test('WEBHOOK-5: Slack’s codes of emoji become emoji, with tones of the skin; others, times and code stay', () => {
  expect(
    slackText({ text: ':tada: done :white_check_mark: :+1::skin-tone-3: :heart: :our_own: `:tada:`', mrkdwn: true }),
  ).toBe('🎉 done ✅ 👍🏼 ❤️ :our_own: `:tada:`');
  expect(slackText({ text: 'at 10:30:00, a:tada:', mrkdwn: true })).toBe('at 10:30:00, a:tada:');
});

test('WEBHOOK-5: the name and the code points of an emoji that is none mean nothing', () => {
  const emoji = (fields: object) => shown(rich(section({ type: 'emoji', ...fields })));
  for (const name of [TAG, '$a$', '*b*', '@ann', 'x'.repeat(61)]) expect(liveIn(emoji({ name })), name).toEqual([]);
  expect(emoji({ name: '*b*' })).toBe(String.raw`:\*b\*:`);
  expect(emoji({ name: "a_b-+'1" })).toBe(":a_b-+'1:");
  const points = (text: string) => Array.from(text, (one) => one.codePointAt(0)?.toString(16)).join('-');
  for (const text of [TAG.slice(0, 16), '$a$', '@ann', '1', '👋👋'])
    expect(emoji({ name: 'our_own', unicode: points(text) }), text).toBe(':our_own:');
  expect(['1f1e9-1f1ea', '31-fe0f-20e3', '2764', '1f468-200d-1f4bb'].map((unicode) => emoji({ unicode }))).toEqual([
    '🇩🇪',
    '1️⃣',
    '❤️',
    '👨‍💻',
  ]);
});

test('WEBHOOK-5: elements nested in elements of a rich text are read to a depth, and each style is marked once', () => {
  const within = (depth: number, style?: object): object =>
    depth === 0 ? words('x') : { type: 'novelty', elements: [within(depth - 1, style)], ...(style && { style }) };
  expect(shown(rich(section(within(3, { bold: true }))))).toBe('**x**');
  expect(
    shown(rich(section({ type: 'novelty', style: { bold: true }, elements: [words('a*', { italic: true })] }))),
  ).toBe(String.raw`***a\****`);
  expect(
    shown(rich(section({ type: 'novelty', style: { code: true }, elements: [words('a*', { bold: true })] }))),
  ).toBe('`a*`');
  expect(slackText({ text: 'deep', blocks: [rich(section(within(9)))] })).toBe('deep');
  expect(slackText({ text: 'deep', blocks: [rich(section(within(900, { bold: true })))] })).toBe('deep');
});
