import { expect, test } from 'vitest';
import { vendorMessages } from './vendor-messages.ts';

const user = (text: string) => ({ role: 'user', text }) as const;
const assistant = (text: string) => ({ role: 'assistant', text }) as const;

test('PROVIDER-14: neighbours of one role become one message', () => {
  expect(vendorMessages([user('Ann: hi'), user('Bob: hello'), assistant('Hi both'), user('Ann: well')])).toEqual([
    { role: 'user', content: 'Ann: hi\n\nBob: hello' },
    { role: 'assistant', content: 'Hi both' },
    { role: 'user', content: 'Ann: well' },
  ]);
});

test('PROVIDER-14: blank messages are left out, also between neighbours', () => {
  expect(vendorMessages([user('a'), assistant(' \n'), user('b')])).toEqual([{ role: 'user', content: 'a\n\nb' }]);
});

test('PROVIDER-14: a user speaks first', () => {
  expect(vendorMessages([assistant('As I said'), user('Yes?')]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('PROVIDER-14: half a surrogate pair becomes a replacement character', () => {
  expect(vendorMessages([user(`${'👍'.slice(1)} cut`)])).toEqual([{ role: 'user', content: '\ufffd cut' }]);
});

test('PROVIDER-14: without any text there is nothing to ask', () => {
  expect(() => vendorMessages([user('  ')])).toThrow(expect.objectContaining({ kind: 'bad_request' }));
});
