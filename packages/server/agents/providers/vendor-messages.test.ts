import { expect, test } from 'vitest';
import { contentOf, vendorTurns } from './vendor-messages.ts';

const vendorMessages = (messages: Parameters<typeof vendorTurns>[0]) =>
  vendorTurns(messages).map((turn) => ({ role: turn.role, content: contentOf(turn.parts)[0] }));
const user = (text: string) => ({ role: 'user', text }) as const;
const assistant = (text: string) => ({ role: 'assistant', text }) as const;

test('PROVIDER-14: consecutive messages of one role become one', () => {
  expect(vendorMessages([user('Ann: hi'), user('Bob: hello'), assistant('Hi both'), user('Ann: well')])).toEqual([
    { role: 'user', content: 'Ann: hi\n\nBob: hello' },
    { role: 'assistant', content: 'Hi both' },
    { role: 'user', content: 'Ann: well' },
  ]);
});

test('PROVIDER-14: blank messages are left out, and messages of one role around them are joined', () => {
  expect(vendorMessages([user('a'), assistant(' \n'), user('b')])).toEqual([{ role: 'user', content: 'a\n\nb' }]);
});

test('PROVIDER-14: the first message is a user’s', () => {
  expect(vendorMessages([assistant('As I said'), user('Yes?')]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('PROVIDER-14: half a surrogate pair becomes a replacement character', () => {
  expect(vendorMessages([user(`${'👍'.slice(1)} cut`)])).toEqual([{ role: 'user', content: '\ufffd cut' }]);
});

test('PROVIDER-14: a request without any text is refused', () => {
  expect(() => vendorMessages([user('  ')])).toThrow(expect.objectContaining({ kind: 'bad_request' }));
});

test('PROVIDER-17: messages of different users stay separate parts of a turn', () => {
  const by = (from: string, text: string) => ({ role: 'user', text, from }) as const;
  expect(vendorTurns([by('ann', 'a'), by('ann', ' '), by('bob', 'b'), assistant('c'), assistant('d')])).toEqual([
    {
      role: 'user',
      parts: [
        { text: 'a', name: 'ann' },
        { text: 'b', name: 'bob' },
      ],
    },
    { role: 'assistant', parts: [{ text: 'c\n\nd' }] },
  ]);
});
