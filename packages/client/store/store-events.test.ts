import { account, FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { afterEach, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { createClient } from '../create-client.ts';
import { createStore } from './index.ts';
import type { Store } from './store.ts';

const open: { client: Client; store: Store }[] = [];
afterEach(() => {
  for (const { client, store } of open.splice(0)) {
    store.close();
    client.close();
  }
});

const message = (id: string, position: number, more: object = {}) => ({
  id,
  position,
  conversation_id: 'chat',
  channel_id: null,
  thread_root_id: null,
  sender: account('bot'),
  content: id,
  attachments: [],
  reply_to_id: null,
  mentions: [],
  dispatch: [],
  reactions: [],
  created_at: `2026-01-01T00:00:0${position}.000Z`,
  content_revision: 1,
  status: 'complete',
  ...more,
});

const conversation = (last_message: object) => ({
  id: 'chat',
  kind: 'direct',
  title: null,
  description: null,
  participants: [],
  participant_count: 2,
  channels: [],
  pinned_message_ids: [],
  is_muted: false,
  unread_count: 0,
  last_read_message_id: null,
  last_read_position: 0,
  last_message,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

const result = (answer: object) => () => ({ body: { ok: true, result: answer } });

/** A store that is live, and shows the messages of one conversation. */
async function showing(history: object[]) {
  const service = new FakeService();
  service.answers = {
    getChats: result({ items: [conversation(history.at(-1) ?? {})], head: 0 }),
    getDrafts: result({ items: [] }),
    getChatHistory: result({ items: history }),
  };
  const client = createClient({ ...service.options, caps: ['ext', 'focus'] });
  const store = createStore(client, { clock: service.clock });
  open.push({ client, store });
  const timeline = store.timeline({ chat_id: 'chat' });
  timeline.subscribe(() => {});
  await settled();
  service.socket.hello(0);
  await settled();
  let seq = 0;
  const frame = (method: string, params: object): void => service.socket.frame((seq += 1), seq - 1, method, params);
  expect([client.state, timeline.get().isLoaded]).toEqual(['live', true]);
  return { service, store, timeline, frame, socket: service.socket };
}

const activity = { ...message('reply', 0), preview: 'so far', status: undefined };

test('SDK-1: a reply out of focus is put where it belongs as soon as its place is known, however that comes', async () => {
  const { service, timeline, frame, socket, store } = await showing([message('m1', 1)]);
  frame('draftActivity', activity);
  frame('messageNew', message('m3', 3));
  expect(timeline.get().ids).toEqual(['m1', 'm3', 'reply']);
  expect(store.message('reply').get()).toMatchObject({ content: 'so far', is_preview: true });
  await service.clock.advance(200);
  const reply = message('reply', 2, { status: 'streaming', content: 'whole' });
  socket.answer('getMessages', { items: [reply] });
  await settled();
  expect(timeline.get().ids).toEqual(['m1', 'reply', 'm3']);
  expect(store.message('reply').get()).toMatchObject({ content: 'so far', is_preview: true, position: 2 });
  frame('messageComplete', message('reply', 2, { content: 'whole' }));
  expect(store.message('reply').get()).toMatchObject({ content: 'whole' });
  expect(store.message('reply').get()?.is_preview).toBeUndefined();
});

test('SDK-1: a reply out of focus is put where it belongs when its conversation tells its place', async () => {
  const { timeline, frame, store } = await showing([message('m1', 1)]);
  frame('draftActivity', activity);
  frame('messageNew', message('m3', 3));
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // as far as it matters here
  expect(timeline.get().ids).toEqual(['m1', 'reply', 'm3']);
});

test('SDK-1: a reply out of focus that is known as a last message is shown in its window', async () => {
  const { store, timeline, frame } = await showing([message('m1', 1)]);
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // as far as it matters here
  expect(timeline.get().ids).toEqual(['m1']);
  frame('draftActivity', activity);
  expect(timeline.get().ids).toEqual(['m1', 'reply']);
});

test('SDK-1: what a thread has counted does not come back with an event that knows less', async () => {
  const { service, store, frame, socket } = await showing([message('root', 1)]);
  frame('messageNew', message('answer', 2, { thread_root_id: 'root' }));
  expect(store.thread('root').get()).toEqual({ count: 1, last_at: '2026-01-01T00:00:02.000Z' });
  frame('messageDeleted', { conversation_id: 'chat', ids: ['answer'] });
  await service.clock.advance(200);
  socket.answer('getMessages', { items: [message('root', 1)] });
  await settled();
  expect(store.thread('root').get()).toBeNull();
  frame('messageUpdated', message('root', 1, { thread: { count: 1, last_at: '2026-01-01T00:00:02.000Z' } }));
  expect(store.thread('root').get()).toBeNull();
});

test("EXT-3: in between a client counts for itself: what is new, another's and no notice, and less when it is deleted", async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const unread = () => store.chat('chat').get()?.unread_count;
  frame('messageNew', message('m2', 2));
  frame('messageNew', message('m3', 3, { sender: account('me') }));
  frame('messageNew', message('m4', 4, { service: { kind: 'joined' } }));
  frame('messageNew', message('m5', 5));
  expect([unread(), store.unreadTotal.get()]).toEqual([2, 2]);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m5'] });
  expect(unread()).toBe(1);
  frame('conversationUpdated', {
    conversation_id: 'chat',
    last_read_position: 2,
    last_read_message_id: 'm2',
    unread_count: 0,
  });
  expect([unread(), store.unreadTotal.get()]).toEqual([0, 0]);
});
