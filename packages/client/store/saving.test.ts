import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { conversation, message, result, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, onTestFinished, test } from 'vitest';

const history = [message('m1', 1), message('m2', 2), message('m3', 3)];

test('SDK-40: a store restored from what another has saved shows it, and asks for nothing but later events', async () => {
  const former = await showing(history);
  former.frame('messageNew', message('m4', 4));
  const thread = { chat_id: 'chat', thread_root_id: 'm1' };
  former.store.saveDraft(thread, 'half a thought');
  const saved = structuredClone(former.store.save({ messages: 3 }));
  if (!saved) throw new Error('the store saved nothing');
  expect([saved.position, saved.account.username]).toEqual([1, 'me']);

  const service = new FakeService();
  const client = createClient({ ...service.options, caps: ['ext'], since: saved.position, self: saved.account });
  const store = createStore(client, { clock: service.clock, saved });
  onTestFinished(() => {
    store.close();
    client.close();
  });
  const timeline = store.timeline({ chat_id: 'chat' });
  timeline.subscribe(() => {});
  await settled();
  expect(store.me.get()?.username).toBe('me');
  expect(store.chats.get()).toMatchObject({ ids: ['chat'], isLoaded: true, hasMore: false });
  expect(store.chat('chat').get()).toMatchObject({ last_message_id: 'm4', unread_count: 1 });
  expect(timeline.get()).toMatchObject({ ids: ['m2', 'm3', 'm4'], isLoaded: true, hasOlder: true, hasNewer: false });
  expect(store.draft(thread).get()?.text).toBe('half a thought');

  service.socket.hello(2);
  await settled();
  expect(service.socket.sent.map(({ method, params }) => [method, params])).toEqual([
    ['getUpdates', expect.objectContaining({ since: 1 })],
  ]);
  const frames = [{ seq: 2, prev: 1, method: 'events.messageNew', params: message('m5', 5) }];
  service.socket.answer('getUpdates', { frames, head: 2, more: false, truncated: false });
  await settled();
  expect(timeline.get().ids).toEqual(['m2', 'm3', 'm4', 'm5']);
  expect(service.requests).toEqual([]);
});

test('SDK-40: a restored store that is to load more conversations goes on to those that it does not have', async () => {
  const former = await showing(history);
  const saved = former.store.save();
  if (!saved) throw new Error('the store saved nothing');
  const service = new FakeService();
  const client = createClient({ ...service.options, caps: ['ext'], since: saved.position, self: saved.account });
  const store = createStore(client, { clock: service.clock, saved: { ...saved, hasMore: true } });
  onTestFinished(() => {
    store.close();
    client.close();
  });
  const known = conversation(history[0] ?? {});
  const pages = [{ items: [known], next_cursor: 'second' }, { items: [{ ...known, id: 'old', last_message: null }] }];
  service.answers['getChats'] = () => result(pages.shift() ?? {})();
  await Promise.all([store.loadMoreChats(), store.loadMoreChats()]);
  expect(store.chats.get()).toMatchObject({ ids: ['chat', 'old'], hasMore: false });
  expect(pages).toEqual([]);
});

test('SDK-40: replies whose position is not known yet leave no gap in what is saved, and are fetched again', async () => {
  const former = await showing(history);
  for (const id of ['r1', 'r2'])
    former.frame('draftActivity', {
      id,
      conversation_id: 'chat',
      channel_id: null,
      thread_root_id: null,
      sender: { username: 'robo', kind: 'agent', display_name: 'Robo' },
      preview: 'Well',
      created_at: '2026-01-01T00:00:04.000Z',
      content_revision: 1,
    });
  expect(former.timeline.get().ids).toEqual(['m1', 'm2', 'm3', 'r1', 'r2']);
  const saved = former.store.save({ messages: 2 });
  expect(saved?.timelines[0]).toMatchObject({ messages: [{ id: 'm2' }, { id: 'm3' }], hasOlder: true });
  expect(saved?.uncertain.messages).toEqual(['r1', 'r2']);
});

test('SDK-40: nothing is saved before the store has loaded, and while it loads again', async () => {
  const { service, client, store, socket } = await showing(history);
  const other = createStore(client, { clock: service.clock });
  onTestFinished(() => other.close());
  expect(other.save()).toBeNull();
  expect(store.save()).not.toBeNull();
  socket.end(1006);
  await settled();
  // What the store held when the connection was lost.
  expect(store.save()).toMatchObject({ position: 0 });
  service.answers['getChats'] = () => ({
    status: 503,
    body: { ok: false, error: { code: 'unavailable', message: '' } },
  });
  await service.clock.advance(30_000);
  service.socket.hello(9);
  await settled();
  service.socket.answer('getUpdates', { frames: [], head: 9, more: false, truncated: true });
  await settled();
  expect(store.save()).toBeNull();
});
