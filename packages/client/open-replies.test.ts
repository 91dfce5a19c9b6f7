import fc from 'fast-check';
import type { Message } from '@parley/protocol';
import { expect, test } from 'vitest';
import { account, FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { createClient } from './create-client.ts';

const message = (content: string, content_revision: number, more: object = {}) => ({
  id: 'reply',
  position: 1,
  conversation_id: 'chat',
  channel_id: null,
  thread_root_id: null,
  sender: account('bot'),
  content,
  attachments: [],
  reply_to_id: null,
  mentions: [],
  dispatch: [],
  reactions: [],
  created_at: '2026-01-01T00:00:00.000Z',
  content_revision,
  status: 'streaming',
  ...more,
});

async function following(caps?: ('patch' | 'focus')[]) {
  const service = new FakeService();
  const client = createClient({ ...service.options, ...(caps && { caps }) });
  const received: string[] = [];
  for (const name of ['messageNew', 'messageStreaming', 'messageComplete'] as const)
    client.on(name, ({ content }) => received.push(`${name} ${content}`));
  service.socket.hello(0);
  await settled();
  let seq = 0;
  const frame = (method: string, params: object): void => service.socket.frame((seq += 1), seq - 1, method, params);
  const outside = (params: object): void => service.socket.frame(seq, seq, 'messageNew', params);
  return { service, client, received, frame, outside, socket: service.socket };
}

test('STREAM-6: deltas are delivered as the text so far, counted in bytes; a duplicate delta is skipped', async () => {
  const { received, frame, client, socket } = await following([]);
  frame('messageNew', message('', 0));
  frame('messageDelta', { id: 'reply', delta: 'é', offset: 2, content_revision: 1 });
  frame('messageDelta', { id: 'reply', delta: 'é', offset: 2, content_revision: 1 });
  frame('messageDelta', { id: 'reply', delta: '🙂', offset: 6, content_revision: 2 });
  frame('messageComplete', message('é🙂', 2, { status: 'complete' }));
  expect(received).toEqual(['messageNew ', 'messageStreaming é', 'messageStreaming é🙂', 'messageComplete é🙂']);
  expect(socket.sent).toEqual([]);
  client.close();
});

test('STREAM-6: after a gap between deltas the message is fetched, and deltas received meanwhile are appended to it', async () => {
  const { received, frame, client, socket } = await following([]);
  frame('messageDelta', { id: 'reply', delta: 'cd', offset: 4, content_revision: 2 });
  frame('messageDelta', { id: 'reply', delta: 'e', offset: 5, content_revision: 3 });
  socket.answer('getMessages', { items: [message('abcd', 2)] });
  await settled();
  expect(received).toEqual(['messageStreaming abcde']);
  client.close();
});

test('CAPS-5: patches are delivered as the text so far; without the base revision a snapshot is requested, once', async () => {
  const { received, frame, outside, client, socket } = await following(['patch']);
  frame('messageNew', message('a\nb\nc', 3));
  const ops = [
    { at: 0, del: 1, ins: ['x', 'y'] },
    { at: 2, del: 1, ins: [] },
  ];
  frame('messageDraftPatch', { id: 'reply', base_rev: 3, rev: 4, ops });
  frame('messageDraftPatch', { id: 'reply', base_rev: 7, rev: 8, ops: [] });
  frame('messageDraftPatch', { id: 'reply', base_rev: 8, rev: 9, ops: [] });
  expect(socket.sent.map(({ method, params }) => [method, params])).toEqual([
    ['wsFocus', { socket: 'socket-1', snapshots: ['reply'] }],
  ]);
  outside(message('whole', 9));
  frame('messageDraftPatch', { id: 'reply', base_rev: 9, rev: 10, ops: [{ at: 0, del: 1, ins: ['!'] }] });
  expect(received).toEqual([
    'messageNew a\nb\nc',
    'messageStreaming x\ny\nb',
    'messageStreaming whole',
    'messageStreaming !',
  ]);
  client.close();
});

test('CAPS-9, PART-7: of two snapshots with one text the one with newer parts wins', async () => {
  const { client, frame, outside } = await following(['patch', 'focus']);
  const thought = (text: string) => ({ parts: [{ id: '1', offset: 0, type: 'reasoning', text }] });
  const texts: string[] = [];
  for (const name of ['messageNew', 'messageStreaming'] as const)
    client.on(name, ({ parts }) => texts.push(parts?.[0]?.type === 'reasoning' ? parts[0].text : ''));
  frame('messageNew', message('a', 3, { ...thought('one'), parts_revision: 4 }));
  outside(message('a', 3, { ...thought('old'), parts_revision: 4 }));
  outside(message('a', 3, { ...thought('one, two'), parts_revision: 6 }));
  expect(texts).toEqual(['one', 'one, two']);
  client.close();
});

test('CAPS-9: a snapshot outside the log that is not newer is skipped, also for a reply that has ended', async () => {
  const { received, frame, outside, client } = await following(['patch']);
  frame('messageNew', message('abc', 3));
  outside(message('ab', 2));
  outside(message('ab!', 3));
  frame('messageComplete', message('abcd', 4, { status: 'complete' }));
  outside(message('abc', 3));
  frame('messageDeleted', { conversation_id: 'chat', ids: ['reply'] });
  outside(message('abcde', 5));
  expect(received).toEqual(['messageNew abc', 'messageComplete abcd']);
  client.close();
});

test('SDK-11: the focus is sent on each new socket before anything is fetched over it', async () => {
  const { service, client, socket } = await following(['focus']);
  client.setFocus({ chat_id: 'chat' });
  expect(socket.sent.pop()).toMatchObject({
    method: 'wsFocus',
    params: { socket: 'socket-1', focus: { chat_id: 'chat' } },
  });
  socket.end(1006);
  await service.clock.advance(1_000);
  service.socket.hello(5, 'socket-2');
  expect(service.socket.sent.map(({ method }) => method)).toEqual(['wsFocus', 'getUpdates']);
  client.close();
});

test('STREAM-6: however a text is split and whichever pieces repeat, the client ends up with the text', async () => {
  const { frame, client } = await following([]);
  const texts = new Map<string, string>();
  client.on('messageStreaming', ({ id, content }) => texts.set(id, content));
  let replies = 0;
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
      fc.infiniteStream(fc.boolean()),
      (pieces, twice) => {
        const id = `reply-${(replies += 1)}`;
        frame('messageNew', { ...message('', 0), id });
        let offset = 0;
        for (const [at, delta] of pieces.entries()) {
          offset += Buffer.byteLength(delta);
          const params = { id, delta, offset, content_revision: at + 1 };
          frame('messageDelta', params);
          if (twice.next().value) frame('messageDelta', params);
        }
        expect(texts.get(id) ?? '').toBe(pieces.join(''));
      },
    ),
  );
  client.close();
});

const part = (revision: number, change: object) => ({
  id: 'reply',
  content_revision: revision,
  part: change,
});
const thought = { id: 't', type: 'reasoning' };

test('SDK-34, PART-4: parts are inserted and replaced by id, and reasoning grows; what the client has is skipped', async () => {
  const { frame, client, socket } = await following([]);
  const received: Message[] = [];
  client.on('messageStreaming', (streaming) => received.push(streaming));
  frame('messageNew', message('', 1));
  frame('messagePart', part(2, { ...thought, offset: 0, text: 'é' }));
  frame('messagePart', part(3, { id: 't', append: '🙂', text_offset: 6 }));
  frame('messagePart', part(3, { id: 't', append: '🙂', text_offset: 6 }));
  frame('messagePart', part(4, { id: 'n', type: 'notice', text: 'a', offset: 0 }));
  frame('messagePart', part(5, { id: 't', append: '', text_offset: 6, duration_ms: 9 }));
  frame('messagePart', part(6, { id: 'n', type: 'notice', text: 'b', offset: 0 }));
  frame('messageDelta', { id: 'reply', delta: 'x', offset: 1, content_revision: 7 });
  const whole = { ...thought, offset: 0, text: 'é🙂', duration_ms: 9 };
  expect(received.at(-1)).toMatchObject({ content: 'x', content_revision: 7 });
  expect(received.at(-1)?.parts).toEqual([whole, { id: 'n', type: 'notice', text: 'b', offset: 0 }]);
  expect([received.length, socket.sent]).toEqual([6, []]);
  client.close();
});

test('SDK-34, PART-4: reasoning that does not continue the copy makes the client fetch the message, and what arrives meanwhile is kept', async () => {
  const { frame, client, socket } = await following([]);
  const received: Message[] = [];
  client.on('messageStreaming', (streaming) => received.push(streaming));
  frame('messageNew', message('', 1));
  frame('messagePart', part(3, { id: 't', append: 'bc', text_offset: 3 }));
  frame('messagePart', part(4, { id: 't', append: 'd', text_offset: 4 }));
  frame('messagePart', part(5, { id: 'n', type: 'notice', text: 'a', offset: 0 }));
  socket.answer('getMessages', { items: [message('', 3, { parts: [{ ...thought, offset: 0, text: 'abc' }] })] });
  await settled();
  expect(received.at(-1)?.parts).toMatchObject([{ text: 'abcd' }, { id: 'n' }]);
  client.close();
});

test('SDK-34, PART-7: with patches, a part changes neither the base of the next patch nor which snapshots are outdated', async () => {
  const { frame, outside, client, socket } = await following(['patch']);
  const received: Message[] = [];
  client.on('messageStreaming', (streaming) => received.push(streaming));
  frame('messageNew', message('a', 1));
  frame('messagePart', part(2, { ...thought, offset: 0, text: 'hm' }));
  frame('messageDraftPatch', { id: 'reply', base_rev: 1, rev: 3, ops: [{ at: 0, del: 1, ins: ['ab'] }] });
  frame('messagePart', part(4, { id: 't', append: '!', text_offset: 3 }));
  expect(received.at(-1)).toMatchObject({ content: 'ab', content_revision: 4, parts: [{ text: 'hm!' }] });
  outside(message('abc', 4, { parts: [{ ...thought, offset: 0, text: 'hm!' }] }));
  expect(received.at(-1)).toMatchObject({ content: 'abc' });
  expect(socket.sent).toEqual([]);
  client.close();
});

test('CONTINUE-3: a reply that had ended streams again; what is left of its first text is still skipped', async () => {
  const { received, frame, outside, client, socket } = await following(['patch']);
  frame('messageNew', message('', 0));
  frame('messageDelta', { id: 'reply', delta: 'one', offset: 3, content_revision: 1 });
  frame('messageComplete', message('one', 2, { status: 'complete', finish_reason: 'length' }));
  frame('messageDelta', { id: 'reply', delta: 'one', offset: 3, content_revision: 1 });
  frame('messageNew', message('one', 3));
  frame('messageDelta', { id: 'reply', delta: ' two', offset: 7, content_revision: 4 });
  outside(message('one two three', 5));
  frame('messageDraftPatch', { id: 'reply', base_rev: 5, rev: 6, ops: [{ at: 0, del: 1, ins: ['four'] }] });
  frame('messageComplete', message('four', 7, { status: 'complete' }));
  expect(received).toEqual([
    'messageNew ',
    'messageStreaming one',
    'messageComplete one',
    'messageNew one',
    'messageStreaming one two',
    'messageStreaming one two three',
    'messageStreaming four',
    'messageComplete four',
  ]);
  // A fetched copy from before it was continued is not taken for the reply.
  expect(client.adopt(message('one', 3) as never)).toMatchObject({ content: 'one' });
  expect(socket.sent).toEqual([]);
  client.close();
});
