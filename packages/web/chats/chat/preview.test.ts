import type { Message } from '@parley/protocol';
import { expect, test } from 'vitest';
import { plainLine } from './preview.ts';

// Only the fields that a preview reads.
const message = (content: string) => ({ content, attachments: [], status: 'complete' }) as unknown as Message;

const nobody = () => undefined;

test.each([
  ['#4999 is fixed', '#4999 is fixed'],
  ['# Title\ntext', 'Title text'],
  ['so *italic* and **bold** and ~~gone~~', 'so italic and bold and gone'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['> quoted\n\n- item', 'quoted item'],
  ['-5 degrees', '-5 degrees'],
  ['```js\nlet a\n```', 'let a'],
  ['see [the page](https://a.example)', 'see the page'],
])('the preview of %j is %j', (content, line) => {
  expect(plainLine(message(content), nobody)).toBe(line);
});

test('a known mention is shown by name', () => {
  const nameOf = (username: string) => (username === 'bob' ? 'Bob Hill' : undefined);
  expect(plainLine(message('hi @bob and @carol'), nameOf)).toBe('hi @Bob Hill and @carol');
});

test('the preview of a voice message says what it is', () => {
  const voice = { kind: 'file', name: 'Voice message.webm', waveform: 'AAAA' };
  expect(plainLine({ ...message(''), attachments: [voice] } as unknown as Message, nobody)).toBe('Voice message');
});

test('several files are counted, and named as photos if they all are', () => {
  const of = (...kinds: string[]) =>
    plainLine(
      { ...message(''), attachments: kinds.map((kind) => ({ kind, name: 'a' })) } as unknown as Message,
      nobody,
    );
  expect([of('photo'), of('photo', 'photo'), of('photo', 'file', 'file'), of('file')]).toEqual([
    'Photo',
    '2 photos',
    '3 files',
    'a',
  ]);
});

test('WEB-430: the list says “Couldn’t answer” of a reply for which the service asked no provider, and does not show its stored text', () => {
  const failed = (finish_reason: string) =>
    plainLine({ ...message('The text so far'), status: 'failed', finish_reason } as unknown as Message, nobody);
  for (const reason of ['no_key', 'token_cap', 'group_token_cap', 'asker_token_cap', 'storage_full'])
    expect([reason, failed(reason)]).toEqual([reason, 'Couldn’t answer']);
  // After another failure the text is the model's.
  expect(failed('timeout')).toBe('The text so far');
});
