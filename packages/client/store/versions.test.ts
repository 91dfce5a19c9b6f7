import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';
import { hasRow, rowOf, shownIn } from './versions.ts';

const three = { ids: ['v1', 'v2', 'v3'], current: 'v2' };

test('SDK-35: a reply with versions has its row at the newest one, and shows the current one', () => {
  const versions = three.ids.map((id) => ({ id, versions: three }));
  expect(versions.map((version) => hasRow(version))).toEqual([false, false, true]);
  expect(versions.map((version) => [rowOf(version), shownIn(version)])).toEqual(three.ids.map(() => ['v3', 'v2']));
  const alone = { id: 'm1' };
  expect([hasRow(alone), rowOf(alone), shownIn(alone)]).toEqual([true, 'm1', 'm1']);
});

test('SDK-35: rows change with the versions, in one notification', async () => {
  const { store, frame } = await showing([message('v1', 1), message('m2', 2)]);
  const timeline = store.timeline({ chat_id: 'chat' });
  const seen: (readonly string[])[] = [];
  timeline.subscribe(() => seen.push(timeline.get().rows));
  const two = { ids: ['v1', 'v2'], current: 'v2' };
  frame('messageNew', message('v2', 3, { status: 'streaming', content: '', versions: two }));
  expect(seen).toEqual([['m2', 'v2']]);
  frame('versionsChanged', { conversation_id: 'chat', ...two });
  expect(store.message('v1').get()?.versions).toEqual(two);
  expect(timeline.get().ids).toEqual(['v1', 'm2', 'v2']);
  // Text that arrives after a choice does not undo it.
  frame('versionsChanged', { conversation_id: 'chat', ...two, current: 'v1' });
  frame('messageDelta', { id: 'v2', delta: 'text', offset: 4, content_revision: 2 });
  expect(store.message('v2').get()).toMatchObject({ content: 'text', versions: { ...two, current: 'v1' } });
  frame('messageDeleted', { conversation_id: 'chat', ids: ['v2'] });
  frame('versionsChanged', { conversation_id: 'chat', ids: ['v1'], current: 'v1' });
  expect(store.message('v1').get()?.versions).toBeUndefined();
  expect(seen.at(-1)).toEqual(['v1', 'm2']);
});

test('SDK-35: the row is at the newest version that is not hidden', async () => {
  const versions = { ids: ['v1', 'v2', 'v4'], current: 'v4' };
  const of = (id: string, position: number) => message(id, position, { versions });
  const { socket, store } = await showing([of('v1', 1), of('v2', 2), message('m3', 3), of('v4', 4)]);
  const timeline = store.timeline({ chat_id: 'chat' });
  expect(timeline.get().rows).toEqual(['m3', 'v4']);
  const hiding = store.hide(['v4']);
  await settled();
  socket.answer('deleteMessagesForMe', { ids: ['v4'] });
  await hiding;
  expect(timeline.get().rows).toEqual(['v2', 'm3']);
  // A jump does not find the newest one.
  const jump = timeline.jumpTo('v1');
  await settled();
  socket.answer('getChatHistory', { items: [of('v1', 1), of('v2', 2), message('m3', 3)] });
  expect(await jump).toBe(true);
  expect(timeline.get()).toMatchObject({ target: 'v2', rows: ['v2', 'm3'] });
});

test('SDK-35: if the newest version is removed, the one before it is fetched and gets the row', async () => {
  const versions = { ids: ['v1', 'v2'], current: 'v2' };
  const of = (id: string, position: number) => message(id, position, { versions });
  // A page of the history has replies with their newest versions alone.
  const { service, socket, store, frame } = await showing([message('m1', 1), of('v2', 3)]);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['v2'] });
  await service.clock.advance(1_000);
  await settled();
  socket.answer('getMessages', { items: [of('v1', 2)] });
  await settled();
  expect(store.timeline({ chat_id: 'chat' }).get().rows).toEqual(['m1', 'v1']);
});

test('SDK-35: a page that was requested before a change does not undo it', async () => {
  const { socket, store, frame } = await showing([message('m4', 4)]);
  const jump = store.timeline({ chat_id: 'chat' }).jumpTo('v1');
  await settled();
  frame('versionsChanged', { conversation_id: 'chat', ids: ['v1', 'v2'], current: 'v1' });
  const versions = { ids: ['v1', 'v2'], current: 'v2' };
  const stale = [message('v1', 1, { versions }), message('v2', 2, { versions }), message('m4', 4)];
  socket.answer('getChatHistory', { items: stale });
  expect(await jump).toBe(true);
  for (const id of versions.ids) expect(store.message(id).get()?.versions).toEqual({ ...versions, current: 'v1' });
});

test('SDK-35: a jump to an older version lands at the newest, in a window of its own if it is far away', async () => {
  const versions = { ids: ['v1', 'v9'], current: 'v1' };
  const { socket, store } = await showing([message('m20', 20)]);
  const timeline = store.timeline({ chat_id: 'chat' });
  const jump = timeline.jumpTo('v1');
  await settled();
  socket.answer('getChatHistory', { items: [message('v1', 1, { versions }), message('m2', 2)] });
  await settled();
  socket.answer('getChatHistory', { items: [message('m8', 8), message('v9', 9, { versions })] });
  expect(await jump).toBe(true);
  expect(timeline.get()).toMatchObject({ target: 'v9', rows: ['m8', 'v9'] });
});

test('SDK-35: a date at which there is only an older version leads to the next row', async () => {
  const versions = { ids: ['v1', 'v9'], current: 'v1' };
  const { socket, store } = await showing([message('m20', 20)], { pageSize: 2 });
  const timeline = store.timeline({ chat_id: 'chat' });
  const jump = timeline.jumpTo(new Date('2026-01-01T00:00:01.000Z'));
  await settled();
  socket.answer('getChatHistory', { items: [message('v1', 1, { versions }), message('m2', 2)] });
  await jump;
  expect(timeline.get()).toMatchObject({ target: 'm2', rows: ['m2'] });
});
