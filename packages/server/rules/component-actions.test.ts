import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ActionAnswer, answerToAction } from './component-actions.ts';
import { proseRanges } from './markdown/prose.ts';
import { findMentions } from './mentions.ts';

const answer = (action: string, fields?: Record<string, unknown>): ActionAnswer =>
  answerToAction({ action, fields, by: 'ann' });
const silent: ActionAnswer = { kind: 'silent' };
const reply = (text: string): ActionAnswer => ({ kind: 'reply', text });
const acknowledged = reply('Got it.');

describe("the interface's table", () => {
  const table: [title: string, action: string, expected: ActionAnswer][] = [
    [
      'ACTION-1: trade:buy:<sym>:<qty>, confirmation card: buy order placed',
      'trade:buy:ACME:10',
      reply('{% card title="Buy order placed" body="10 ACME" by="ann" /%}'),
    ],
    [
      'ACTION-1: trade:sell:<sym>:<qty>, confirmation card: sell order placed',
      'trade:sell:BRK.B:0.5',
      reply('{% card title="Sell order placed" body="0.5 BRK.B" by="ann" /%}'),
    ],
    [
      'ACTION-1: alert:<sym>:<gt or lt>:<val>, confirmation: alert set, above',
      'alert:BTC-USD:gt:90000',
      reply('{% card title="Alert set" body="BTC-USD above 90000" by="ann" /%}'),
    ],
    [
      'ACTION-1: alert:<sym>:<gt or lt>:<val>, confirmation: alert set, below',
      'alert:^TNX:lt:-0.25',
      reply('{% card title="Alert set" body="^TNX below -0.25" by="ann" /%}'),
    ],
    [
      'ACTION-1: modify:limit, prompt to send a limit price',
      'modify:limit',
      reply('Send the limit price as a message, for example 182.50.'),
    ],
    [
      'ACTION-1: form_submit:<id>, confirmation card: form submitted',
      'form_submit:signup',
      reply('{% card title="Form submitted" form="signup" by="ann" /%}'),
    ],
    ['ACTION-2: cancel:* is swallowed silently', 'cancel:order:1', silent],
    ['ACTION-2: cancel:* with nothing behind the colon', 'cancel:', silent],
    ['ACTION-2: dismiss:* is swallowed silently', 'dismiss:card', silent],
  ];
  test.each(table)('%s', (_title, action, expected) => {
    expect(answer(action)).toEqual(expected);
  });
});

describe('ACTION-3: everything else is acknowledged', () => {
  test.each([
    'buy',
    'cancel',
    'dismissed:x',
    'Trade:buy:ACME:1',
    'trade:hold:ACME:1',
    'trade:buy:ACME',
    'trade:buy:ACME:',
    'trade:buy::1',
    'trade:buy:ACME:1:2',
    'trade:buy:ACME:many',
    'trade:buy:ACME:-1',
    'trade:buy:ACME:1e9',
    'trade:buy:ACME:1\n',
    'trade:buy:AC ME:1',
    'trade:buy:@bob:1',
    'trade:buy:ACME" /%} @bob {% card a=":1',
    `trade:buy:${'A'.repeat(33)}:1`,
    'alert:ACME:eq:1',
    'alert:ACME:gt:',
    'modify:limit:5',
    'modify:',
    'form_submit:',
    'form_submit',
    ' trade:buy:ACME:1',
  ])('ACTION-3: %j', (action) => {
    expect(answer(action, { a: 1 })).toEqual(acknowledged);
  });
});

test('ACTION-4: a form shows what was filled in, plain values and lists of them', () => {
  const fields = { name: ' Ada ', size: 3, urgent: false, tags: ['a', 'b', { c: 1 }], empty: '', none: null, deep: {} };
  expect(answer('form_submit:f', fields)).toEqual(
    reply(
      '{% card title="Form submitted" form="f" body="name: Ada · size: 3 · urgent: false · tags: a, b" by="ann" /%}',
    ),
  );
});

test.each(['password', 'Passphrase', 'api_key', 'client_secret', 'accessToken', 'PIN', 'cvv'])(
  'ACTION-4: the value of a field named %s is not shown',
  (name) => {
    const text = JSON.stringify(answer('form_submit:f', { [name]: 'hunter2', shipping: 'air' }));
    expect(text).not.toContain('hunter2');
    expect(text).toContain('shipping: air');
  },
);

test('ACTION-4: a long form is cut, and no surrogate pair is split', () => {
  const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, `x${'😀'.repeat(10_000)}`]));
  const { text } = answer(`form_submit:${'😀'.repeat(500)}`, fields) as { text: string };
  expect(text.length).toBeLessThan(4_000);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain('…" by="ann" /%}');
});

test('ACTION-4: quotes and backslashes are escaped; braces, backticks and line breaks replaced', () => {
  expect(answer('form_submit:f', { note: 'a "b" \\ {% c %} `d`\r\n\u2028e\u202ef' })).toEqual(
    reply(String.raw`{% card title="Form submitted" form="f" body="note: a \"b\" \\ (% c %) 'd' ef" by="ann" /%}`),
  );
});

const card = /^\{% card( [a-z]+="(?:[^"\\\p{Cc}{}`]|\\["\\])*")+ \/%\}$/u;
const prompts = [acknowledged, answer('modify:limit')];

test('ACTION-4: nothing in a token or a field gets out of the tag, mentions anyone or is prose', () => {
  const pieces = fc.constantFrom('"', '\\', '{%', '%}', '/%}', '`', '```', '\n', '@bob', '@ann:helper', '😀', ':', ' ');
  const wild = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
    .map((parts) => parts.join('').toWellFormed());
  const kinds = ['', 'trade:buy:', 'trade:sell:ACME:', 'alert:', 'alert:A:gt:', 'modify:limit', 'form_submit:'];
  const action = fc.tuple(fc.constantFrom(...kinds), wild).map(([kind, rest]) => kind + rest);
  const value = fc.oneof(wild, fc.array(wild, { maxLength: 3 }), fc.jsonValue());
  const fields = fc.option(fc.dictionary(wild, value, { maxKeys: 5 }), { nil: undefined });
  fc.assert(
    fc.property(action, fields, (action, fields) => {
      const given = answer(action, fields);
      if (given.kind === 'silent' || prompts.some((prompt) => prompt.kind === 'reply' && prompt.text === given.text))
        return;
      expect(given.text).toMatch(card);
      expect(findMentions(given.text, ['bob', 'ann', 'ann:helper'])).toEqual([]);
      expect([...proseRanges(given.text)].filter(({ start, end }) => end > start)).toEqual([]);
      expect(given.text.isWellFormed()).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('ACTION-4: an attribute read back is what was written', () => {
  const plain = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((text) => !/[{}`\p{C}\p{Zl}\p{Zp}]/u.test(text));
  fc.assert(
    fc.property(plain, (text) => {
      const given = answer('form_submit:f', { note: text });
      const body = given.kind === 'reply' ? / body="note: ((?:[^"\\]|\\.)*)" by=/u.exec(given.text)?.[1] : undefined;
      expect(body?.replaceAll(/\\(.)/gu, '$1')).toBe(text.trim() === '' ? undefined : text.trim());
    }),
  );
});
