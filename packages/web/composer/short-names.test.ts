import { mentionedIn } from '@parley/markdown';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortNamesOf, withWholeHandles } from './short-names.ts';

const person = (username: string) => ({
  username,
  kind: username.includes(':') ? ('agent' as const) : ('human' as const),
});
const names = shortNamesOf(['ann', 'ann:helper', 'bob:critic', 'bob:provider_a'].map(person));
const whole = (text: string) => withWholeHandles(text, names).text;

test('WEB-112: a slug is a short name if it belongs to one participant alone', () => {
  const of = (...usernames: string[]) => [...shortNamesOf(usernames.map(person)).keys()];
  expect(of('ann', 'ann:helper', 'bob:critic')).toEqual(['helper', 'critic']);
  expect(of('ann:helper', 'bob:helper', 'cleo:helper')).toEqual([]);
  expect(of('ann:bob', 'bob')).toEqual([]);
  expect(of('bob', 'ann:bob')).toEqual([]);
});

test.each([
  ['@helper, and @Critic!', '@ann:helper, and @bob:critic!'],
  [
    '*@helper* (@helper) [@helper](https://example.com)',
    '*@ann:helper* (@ann:helper) [@ann:helper](https://example.com)',
  ],
  ['@provider_a and _@helper_', '@bob:provider_a and _@helper_'],
  ['> @helper:\n- @helper', '> @ann:helper:\n- @ann:helper'],
])('WEB-112: in %j a short name becomes the whole handle', (text, expected) => {
  expect(whole(text)).toBe(expected);
});

test.each([
  '`@helper`',
  '```\n@helper\n```',
  'a@helper, https://example.com/@helper and www.example.com/@helper/a',
  '{% button label="@helper" action="@helper" /%}',
  '@helpers, @helper_x, @ann:helper, @zoe:helper, @helper:x',
  '@ann',
  '![@helper](https://example.com/a.png)',
])('WEB-112: %j stays as it is', (text) => {
  expect(withWholeHandles(text, names)).toEqual({ text, replaced: [] });
});

test('WEB-112: it says what it replaced, each name once', () => {
  expect(withWholeHandles('@helper @Helper @critic `@critic`', names).replaced).toEqual([
    { short: 'helper', username: 'ann:helper' },
    { short: 'critic', username: 'bob:critic' },
  ]);
});

test('WEB-112: in any text exactly the mentions by short names change', () => {
  const piece = fc.oneof(
    fc.constantFrom('@helper', '@critic', '@ann:helper', '`', '``', '```\n', '\n', ' ', '[', ']', '{% x %}'),
    fc.constantFrom('*', '_', '\\', '$$', '<', 'n0', '@n0', '@nn1', '    ', '| ', '- '),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const { text: changed } = withWholeHandles(text, names);
      const expected = new Set([...mentionedIn(text)].map((name) => names.get(name) ?? name));
      expect(new Set(mentionedIn(changed))).toEqual(expected);
      expect(changed.replaceAll('@ann:helper', '@helper').replaceAll('@bob:critic', '@critic')).toBe(
        text.replaceAll('@ann:helper', '@helper'),
      );
    }),
  );
});
