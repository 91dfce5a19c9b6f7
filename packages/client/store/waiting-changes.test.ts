import { createClient } from '@parley/client';
import { createStore, type SavedStore, type Store } from '@parley/client/store';
import { account, FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { conversation, message, result, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, onTestFinished, test } from 'vitest';

const LONG_MS = 60_000;
const mine = { sender: account('me') };
const history = [message('m1', 1), message('m2', 2, mine), message('m3', 3, mine), message('m4', 4)];
const edited = (text: string) => message('m2', 2, { ...mine, content: text, content_revision: 2 });
const textOf = (store: Store, id: string) => store.message(id).get()?.content;
const methods = (service: FakeService) => service.socket.sent.map(({ method }) => method);

/** A store whose connection was lost, with a storage that outlives it. */
async function cutOff() {
  const stage = await showing(history);
  stage.service.setOnline(false);
  stage.socket.end(1006);
  await settled();
  expect(stage.client.state).not.toBe('live');
  return stage;
}

/** Connects again; `frames`: what was missed. */
async function backOnline(service: FakeService, frames: object[] = []) {
  service.setOnline(true);
  await settled();
  service.socket.hello(frames.length);
  await settled();
  if (frames.length > 0)
    service.socket.answer('getUpdates', { frames, head: frames.length, more: false, truncated: false });
  await settled();
}

test('SDK-46: without a connection an edit, a reaction, a deletion and a marker are shown at once, and made in order', async () => {
  const { service, store, timeline, client } = await cutOff();
  void store.edit('m2', 'better');
  void store.react('m1', '👍', true);
  const removed = store.remove(['m3']);
  void store.markRead('chat', 'm4');
  expect(store.message('m2').get()).toMatchObject({ content: 'better', is_waiting: true });
  expect(store.message('m1').get()?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  expect([timeline.get().ids, store.message('m3').get()]).toEqual([['m1', 'm2', 'm4'], undefined]);
  expect(store.chat('chat').get()).toMatchObject({ unread_count: 0, last_read_position: 4 });
  await service.clock.advance(LONG_MS);
  expect(client.outbox.changes.get()).toHaveLength(4);

  await backOnline(service);
  const { socket } = service;
  expect(methods(service).filter((name) => name !== 'getReadPosition')).toEqual(['editMessage', 'markRead']);
  socket.frame(1, 0, 'messageUpdated', edited('better'));
  socket.answer('editMessage', edited('better'));
  await settled();
  expect(store.message('m2').get()).not.toHaveProperty('is_waiting');
  expect(textOf(store, 'm2')).toBe('better');
  socket.frame(2, 1, 'reactionAdded', {
    conversation_id: 'chat',
    message_id: 'm1',
    emoji: '👍',
    reactor: account('me'),
  });
  socket.answer('setMessageReaction', {});
  await settled();
  expect(store.message('m1').get()?.reactions).toMatchObject([{ emoji: '👍', count: 1 }]);
  socket.frame(3, 2, 'messageDeleted', { conversation_id: 'chat', ids: ['m3'] });
  socket.answer('deleteMessages', { ids: ['m3'] });
  socket.answer('markRead', {});
  expect(await removed).toEqual(['m3']);
  expect([client.outbox.changes.get(), timeline.get().ids]).toEqual([[], ['m1', 'm2', 'm4']]);
});

test('SDK-46: the next page of the account shows what waits, and makes it', async () => {
  const former = await showing(history);
  const saved: SavedStore | null = structuredClone(former.store.save());
  if (!saved) throw new Error('the store saved nothing');
  const values = new Map<string, string>();
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    keys: () => [...values.keys()],
  };
  async function open() {
    const service = new FakeService();
    const client = createClient({ ...service.options, caps: ['ext'], storage, since: 0, self: account('me') });
    const store = createStore(client, { clock: service.clock, saved: saved ?? undefined });
    onTestFinished(() => {
      store.close();
      client.close();
    });
    await settled();
    return { service, client, store };
  }
  const first = await open();
  void first.store.edit('m2', 'better');
  void first.store.remove(['m3']);
  await settled();
  first.store.close();
  first.client.close();

  const { service, store, client } = await open();
  expect([textOf(store, 'm2'), textOf(store, 'm3')]).toEqual(['better', undefined]);
  await backOnline(service);
  expect(service.socket.sent.map(({ params }) => params)).toContainEqual({ message_id: 'm2', text: 'better' });
  service.socket.answer('editMessage', edited('better'));
  await settled();
  service.socket.answer('deleteMessages', { ids: ['m3'] });
  await settled();
  expect([client.outbox.changes.get(), values.size]).toEqual([[], 0]);
});

test('SDK-46: a change to a message that was not sent yet waits for it', async () => {
  const { service, store, timeline, client } = await cutOff();
  const { client_msg_id } = client.send({ chat_id: 'chat', text: 'hello' });
  const key = timeline.get().ids.at(-1) ?? '';
  void store.react(key, '👍', true);
  expect(store.message(key).get()?.reactions).toMatchObject([{ emoji: '👍' }]);
  await backOnline(service);
  expect(methods(service)).not.toContain('setMessageReaction');
  const stored = message('m5', 5, { ...mine, content: 'hello', client_msg_id });
  service.socket.frame(1, 0, 'messageNew', stored);
  service.socket.answer('sendMessage', stored);
  await settled();
  expect(service.socket.sent.at(-1)?.params).toMatchObject({ message_id: 'm5', emoji: '👍' });
  expect(store.message('m5').get()?.reactions).toMatchObject([{ emoji: '👍' }]);
});

test('SDK-47: of edits, of reactions with one emoji and of markers only the last is sent', async () => {
  const { service, store, client } = await cutOff();
  const first = store.edit('m2', 'one');
  const last = store.edit('m2', 'two');
  void store.react('m1', '👍', true);
  void store.react('m1', '👍', false);
  void store.markRead('chat', 'm3');
  void store.markRead('chat', 'm4');
  void store.markRead('chat', 'm1');
  expect(client.outbox.changes.get()).toHaveLength(3);
  expect([textOf(store, 'm2'), store.message('m1').get()?.reactions]).toEqual(['two', []]);
  await backOnline(service);
  const params = () => service.socket.sent.map((one) => one.params);
  expect(params()).toContainEqual({ chat_id: 'chat', message_id: 'm4' });
  expect(params()).toContainEqual({ message_id: 'm2', text: 'two' });
  service.socket.answer('editMessage', edited('two'));
  await Promise.all([first, last]);
  await settled();
  expect(params()).toContainEqual({ message_id: 'm1', emoji: '👍', remove: true });
  expect(params()).not.toContainEqual(expect.objectContaining({ keep: true }));
});

test.each(['forbidden', 'not_found', 'conflict'] as const)(
  'SDK-48: a change that is refused (%s) is taken back, and the client says why',
  async (code) => {
    const { service, store, timeline, client } = await cutOff();
    const refused: string[] = [];
    client.on('changeRefused', ({ change, error }) => refused.push(`${change.name} ${error.code}`));
    const answer = store.edit('m2', 'better');
    const others = [store.remove(['m3']), store.markRead('chat', 'm4')];
    const outcomes = Promise.allSettled(others);
    await backOnline(service);
    service.answers['getChat'] = result(conversation(history[3] ?? {}));
    service.socket.refuse('markRead', code);
    service.socket.refuse('editMessage', code);
    await expect(answer).rejects.toMatchObject({ code });
    await settled();
    service.socket.refuse('deleteMessages', code);
    await settled();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(refused).toEqual([`markRead ${code}`, `editMessage ${code}`, `deleteMessages ${code}`]);
    expect([textOf(store, 'm2'), timeline.get().ids]).toEqual(['m2', ['m1', 'm2', 'm3', 'm4']]);
    expect(store.message('m2').get()).not.toHaveProperty('is_waiting');
    expect(client.outbox.changes.get()).toEqual([]);
    // The counts of the service take the place of what was shown.
    await service.clock.advance(1_000);
    expect(methods(service)).toContain('getChat');
  },
);

test('SDK-49: a change whose answer was lost is not made again, so that later changes of other devices stay', async () => {
  const { service, store, client, socket } = await showing(history);
  const answer = store.edit('m2', 'mine');
  await settled();
  expect(socket.sent.at(-1)?.method).toBe('editMessage');
  service.setOnline(false);
  socket.end(1006);
  await settled();
  const theirs = message('m2', 2, { ...mine, content: 'of another device', content_revision: 3 });
  await backOnline(service, [
    { seq: 1, prev: 0, method: 'events.messageUpdated', params: edited('mine') },
    { seq: 2, prev: 1, method: 'events.messageUpdated', params: theirs },
  ]);
  await answer;
  expect([client.outbox.changes.get(), textOf(store, 'm2')]).toEqual([[], 'of another device']);
  expect(methods(service)).not.toContain('editMessage');
});

test('SDK-49: a change that never reached the service is made after the later ones of other devices', async () => {
  const { service, store } = await cutOff();
  void store.edit('m2', 'mine');
  const theirs = message('m2', 2, { ...mine, content: 'of another device', content_revision: 3 });
  await backOnline(service, [{ seq: 1, prev: 0, method: 'events.messageUpdated', params: theirs }]);
  expect(textOf(store, 'm2')).toBe('mine');
  expect(service.socket.sent.map(({ params }) => params)).toContainEqual({ message_id: 'm2', text: 'mine' });
});
