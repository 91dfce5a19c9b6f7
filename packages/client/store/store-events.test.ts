import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { account, FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { conversation, message, result, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';
import type { Store } from './store.ts';

const activity = { ...message('reply', 0), preview: 'so far', status: undefined };

test('SDK-1: a reply out of focus moves to its place once a fetch or an event gives its position', async () => {
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

test('SDK-1: a reply out of focus moves to its place when its conversation gives its position', async () => {
  const { timeline, frame, store } = await showing([message('m1', 1)]);
  frame('draftActivity', activity);
  frame('messageNew', message('m3', 3));
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // has the fields that matter here
  expect(timeline.get().ids).toEqual(['m1', 'reply', 'm3']);
});

test('SDK-1: a reply out of focus that is known as a last message is shown in its window', async () => {
  const { store, timeline, frame } = await showing([message('m1', 1)]);
  const reply = message('reply', 2, { status: 'streaming' });
  store.putChat(conversation(reply) as unknown as Parameters<Store['putChat']>[0]); // has the fields that matter here
  expect(timeline.get().ids).toEqual(['m1']);
  frame('draftActivity', activity);
  expect(timeline.get().ids).toEqual(['m1', 'reply']);
});

test('SDK-1: a conversation with a finished reply moves that reply to its place; others move once fetched', async () => {
  const { service, store, timeline, frame, socket } = await showing([message('m1', 1), message('m9', 9)]);
  for (const id of ['first', 'second']) frame('draftActivity', { ...activity, id });
  expect(timeline.get().ids).toEqual(['m1', 'm9', 'first', 'second']);
  store.putChat(conversation(message('first', 2)) as unknown as Parameters<Store['putChat']>[0]); // as above
  expect(timeline.get().ids).toEqual(['m1', 'first', 'm9', 'second']);
  await service.clock.advance(200);
  socket.answer('getMessages', { items: [message('first', 2), message('second', 3, { status: 'streaming' })] });
  await settled();
  expect(timeline.get().ids).toEqual(['m1', 'first', 'second', 'm9']);
});

test('SDK-1: a reply fetched after its end shows its final text, even though the end event was missed', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  frame('messageNew', message('reply', 2, { status: 'streaming', content: 'so far' }));
  const ended = message('reply', 2, { content: 'all of it', content_revision: 9 });
  store.putChat(conversation(ended) as unknown as Parameters<Store['putChat']>[0]); // as above
  expect(store.message('reply').get()).toMatchObject({ status: 'complete', content: 'all of it' });
});

test('SDK-1, CONTINUE-3: a fetched reply that streams again is newer than its first end, an old copy is not', async () => {
  const ended = message('reply', 2, { content: 'half', content_revision: 5 });
  const { store, frame } = await showing([message('m1', 1)]);
  frame('messageComplete', ended);
  const fetched = (content_revision: number, content: string) =>
    store.putChat(
      conversation(message('reply', 2, { status: 'streaming', content, content_revision })) as unknown as Parameters<
        Store['putChat']
      >[0], // as above
    );
  for (const revision of [4, 5]) fetched(revision, 'old');
  expect(store.message('reply').get()).toMatchObject({ status: 'complete', content: 'half' });
  fetched(6, 'half and');
  expect(store.message('reply').get()).toMatchObject({ status: 'streaming', content: 'half and' });
});

test('SDK-1: the text of a reply that a failed first load fetched is replaced by the next load', async () => {
  const service = new FakeService();
  const client = createClient({ ...service.options, caps: ['ext'] });
  const store = createStore(client, { clock: service.clock });
  const reply = (content: string, content_revision: number) =>
    result({
      items: [conversation(message('reply', 1, { status: 'streaming', content, content_revision }))],
      head: content_revision,
    });
  service.answers = { getChats: reply('old', 2) };
  service.socket.hello(2);
  await settled();
  expect(store.message('reply').get()?.content).toBe('old');
  service.answers = {
    getChats: reply('replaced', 7),
    getDrafts: result({ items: [] }),
    getFolders: result({ items: [] }),
  };
  service.socket.end(1006);
  await service.clock.advance(30_000);
  service.socket.hello(7);
  await settled();
  expect(client.state).toBe('live');
  expect(store.message('reply').get()?.content).toBe('replaced');
  store.close();
  client.close();
});

test('SDK-1: the text of a reply that a failed reload fetched is replaced by the next load', async () => {
  const { service, client, store, frame } = await showing([message('reply', 1, { status: 'streaming' })]);
  const reply = (content: string, content_revision: number) =>
    result({
      items: [conversation(message('reply', 1, { status: 'streaming', content, content_revision }))],
      head: 9,
    });
  service.answers = { getUpdates: result({ frames: [], head: 5, truncated: true }), getChats: reply('old', 2) };
  service.socket.frame(7, 6, 'alert', { text: '', level: 'info' });
  await settled();
  service.socket.answer('getUpdates', { frames: [], head: 5, truncated: true });
  await settled();
  expect(store.message('reply').get()?.content).toBe('old');
  const history = result({
    items: [message('reply', 1, { status: 'streaming', content: 'replaced', content_revision: 7 })],
  });
  service.answers = {
    getChats: reply('replaced', 7),
    getDrafts: result({ items: [] }),
    getFolders: result({ items: [] }),
    getChatHistory: history,
  };
  service.socket.end(1006);
  await service.clock.advance(30_000);
  service.socket.hello(9);
  await settled();
  await service.clock.advance(1_000);
  expect([client.state, store.message('reply').get()?.content]).toEqual(['live', 'replaced']);
  frame('alert', { text: '', level: 'info' });
});

test('SDK-1, STREAM-20: the reactions of an open reply are those of its last snapshot plus later events', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  const reply = (revision: number, more: object = {}) =>
    message('reply', 2, { status: 'streaming', content: `text ${revision}`, content_revision: revision, ...more });
  const reactions = [{ emoji: '🎉', count: 1, reactors: [account('ann')] }];
  frame('messageNew', reply(1));
  frame('messageNew', reply(2, { reactions }));
  expect(store.message('reply').get()).toMatchObject({ content: 'text 2', reactions });
  frame('reactionAdded', { message_id: 'reply', reactor: account('ben'), emoji: '👍', created_at: '' });
  frame('messageDelta', { id: 'reply', delta: '!', offset: 7, content_revision: 3 });
  const shown = store.message('reply').get();
  expect([shown?.content, shown?.reactions.map(({ emoji }) => emoji)]).toEqual(['text 2!', ['🎉', '👍']]);
});

test('SDK-1, REACT-7: a reaction that was stored in another form of its emoji can be taken back', async () => {
  const reactions = [{ emoji: '❤', count: 2, reactors: [account('ann'), account('ben')] }];
  const { store, frame } = await showing([message('m1', 1, { reactions })]);
  const shown = () =>
    store
      .message('m1')
      .get()
      ?.reactions.map(({ emoji, count }) => [emoji, count]);
  frame('reactionAdded', { message_id: 'm1', reactor: account('ben'), emoji: '❤️', created_at: '' });
  expect(shown()).toEqual([['❤', 2]]);
  frame('reactionRemoved', { message_id: 'm1', reactor: account('ben'), emoji: '❤️' });
  expect(shown()).toEqual([['❤️', 1]]);
  frame('reactionRemoved', { message_id: 'm1', reactor: account('ann'), emoji: '❤️' });
  expect(shown()).toEqual([]);
});

test('SDK-1: an event with an older thread count does not restore it', async () => {
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

test('SDK-1: a reply in a thread counts at its root even if a fetch that began before the reply brings the root', async () => {
  const { service, store, frame, socket } = await showing([message('m1', 1)]);
  const loading = store.loadMessages(['root']);
  frame('messageNew', message('answer', 3, { thread_root_id: 'root' }));
  socket.answer('getMessages', { items: [message('root', 2)] });
  await loading;
  await service.clock.advance(200);
  const thread = { count: 1, last_at: '2026-01-01T00:00:03.000Z' };
  socket.answer('getMessages', { items: [message('root', 2, { thread })] });
  await settled();
  expect(store.thread('root').get()).toEqual(thread);
});

test('SDK-1: a message that is sent before the socket is open does not count as unread', async () => {
  const service = new FakeService();
  const own = message('own', 2, { sender: account('me'), client_msg_id: 'c1' });
  service.answers = {
    getChats: result({ items: [conversation(message('m1', 1))], head: 0 }),
    getDrafts: result({ items: [] }),
    getFolders: result({ items: [] }),
    sendMessage: result(own),
  };
  const client = createClient(service.options);
  const store = createStore(client, { clock: service.clock });
  await settled();
  client.send({ chat_id: 'chat', text: 'own', client_msg_id: 'c1' });
  await settled();
  expect(client.account).toBeNull();
  expect(store.chat('chat').get()).toMatchObject({ last_message_id: store.message('own').get()?.key, unread_count: 0 });
  store.close();
  client.close();
});

test('SDK-1: deleting an unknown message refreshes the conversation, because it may have been the newest', async () => {
  const { service, frame, socket } = await showing([message('m5', 5)]);
  const asked = () => socket.sent.filter(({ method }) => method === 'getChat').length;
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m4'] });
  await service.clock.advance(200);
  expect(asked()).toBe(0);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m6'] });
  await service.clock.advance(200);
  expect(asked()).toBe(1);
});

test('SDK-1: a conversation fetched before a reply ended does not overwrite its state after the end', async () => {
  const { service, store, frame, socket } = await showing([message('m1', 1)]);
  frame('messageNew', message('reply', 2, { status: 'streaming' }));
  frame('conversationUpdated', { conversation_id: 'chat', last_read_position: 1, last_read_message_id: 'm1' });
  await service.clock.advance(200);
  const ended = message('reply', 2, { finalized_at: '2026-01-01T00:00:09.000Z' });
  frame('messageComplete', ended);
  socket.answer('getChat', conversation(message('reply', 2, { status: 'streaming' })));
  await settled();
  expect(store.chat('chat').get()?.updated_at).toBe('2026-01-01T00:00:09.000Z');
  await service.clock.advance(400);
  socket.answer('getChat', { ...conversation(ended), updated_at: '2026-01-01T00:00:09.000Z' });
  await settled();
  expect(store.chat('chat').get()?.updated_at).toBe('2026-01-01T00:00:09.000Z');
});

test("EXT-3: between counts of the service the client counts others' new messages, not notices, and subtracts deleted ones", async () => {
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

test("SDK-30: typing of a human expires after 10 s without an update, an agent's does not", async () => {
  const { service, store, frame } = await showing([message('m1', 1)]);
  const place = { conversation_id: 'chat', channel_id: null, thread_root_id: null, is_typing: true };
  const showTyping = (username: string, more: object = {}) =>
    frame('typing', { ...place, actor: { ...account(username), ...more } });
  const shown = () =>
    store
      .typing({ chat_id: 'chat' })
      .get()
      .map(({ username }) => username);
  showTyping('bob');
  showTyping('carol');
  showTyping('agent', { kind: 'agent' });
  await service.clock.advance(6_000);
  showTyping('carol');
  await service.clock.advance(3_999);
  expect(shown().toSorted()).toEqual(['agent', 'bob', 'carol']);
  await service.clock.advance(1);
  expect(shown().toSorted()).toEqual(['agent', 'carol']);
  await service.clock.advance(6_000);
  expect(shown()).toEqual(['agent']);
});

test('SDK-45: the first key is reported, and again the first one while live after a lost connection', async () => {
  const { service, client, store } = await showing([message('m1', 1)]);
  const key = { chat_id: 'chat' };
  const reported = () =>
    service.socket.sent.filter(({ method }) => method === 'sendChatAction').map(({ params }) => params['action']);
  store.setTyping(key, true);
  store.setTyping(key, true);
  expect(reported()).toEqual(['typing']);
  await service.clock.advance(3_000);
  store.setTyping(key, true);
  expect(reported()).toEqual(['typing', 'typing']);
  service.socket.end(1006);
  store.setTyping(key, true);
  await service.clock.advance(5_000);
  service.socket.hello(0);
  await settled();
  expect([client.state, reported()]).toEqual(['live', []]);
  store.setTyping(key, true);
  store.setTyping(key, false);
  store.setTyping(key, false);
  expect(reported()).toEqual(['typing', 'cancel']);
});

test('SDK-33: an agent with an open reply is typing, with or without an event, until the reply ends', async () => {
  const place = { conversation_id: 'chat', channel_id: null, thread_root_id: null };
  const sender = { ...account('bot'), kind: 'agent' };
  const reply = message('reply', 2, { status: 'streaming', sender });
  const { store, frame, socket } = await showing([message('m1', 1), reply]);
  const typing = store.typing({ chat_id: 'chat' });
  const names = () => typing.get().map(({ username }) => username);
  expect(names()).toEqual(['bot']);
  const [bot] = typing.get();
  const before = typing.get();
  frame('typing', { ...place, actor: bot, is_typing: true });
  frame('messageNew', { ...reply, content: 'so far', content_revision: 2 });
  expect(typing.get()).toBe(before);
  frame('typing', { ...place, actor: account('ann'), is_typing: true });
  expect(names().toSorted()).toEqual(['ann', 'bot']);
  // Without a connection nobody knows who writes.
  socket.end(1006);
  expect(names()).toEqual([]);
});

test('SDK-33: an agent stops typing when its reply ends or is deleted', async () => {
  const sender = { ...account('bot'), kind: 'agent' };
  const { store, frame } = await showing([message('m1', 1)]);
  const names = () =>
    store
      .typing({ chat_id: 'chat' })
      .get()
      .map(({ username }) => username);
  frame('messageNew', message('one', 2, { status: 'streaming', sender }));
  frame('messageNew', message('two', 3, { status: 'streaming', sender }));
  frame('messageComplete', message('one', 2, { sender, content: 'all of it' }));
  expect(names()).toEqual(['bot']);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['two'] });
  expect(names()).toEqual([]);
});

test('SDK-34, SDK-18: a part notifies only the subscribers of its message, and a fetch keeps the parts that have grown', async () => {
  const { store, frame } = await showing([message('m1', 1)]);
  frame('messageNew', message('reply', 2, { status: 'streaming', content: '', content_revision: 1 }));
  const seen: string[] = [];
  const cells = { reply: store.message('reply'), m1: store.message('m1'), chat: store.chat('chat') };
  for (const [name, cell] of Object.entries(cells)) cell.subscribe(() => seen.push(name));
  const part = { id: 't', type: 'reasoning', offset: 0, text: 'hm' };
  frame('messagePart', { id: 'reply', content_revision: 2, part });
  const growth = { id: 't', append: '!', text_offset: 3 };
  frame('messagePart', { id: 'reply', content_revision: 3, part: growth });
  expect(store.message('reply').get()?.parts).toEqual([{ ...part, text: 'hm!' }]);
  expect(new Set(seen)).toEqual(new Set(['reply']));
});
