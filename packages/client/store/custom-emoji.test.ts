import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const named = (name: string) => ({ name, url: `/emoji/${name}`, created_at: '2026-01-01T00:00:00.000Z' });
/** Lets time pass on a connection on which the service ticks. */
async function pass({ service, socket }: Awaited<ReturnType<typeof showing>>, minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    await service.clock.advance(MINUTE_MS);
    socket.receive({ method: 'events.tick', params: { head: 0 } });
  }
}
const watch = (cell: { subscribe(listener: () => void): () => void }) => cell.subscribe(() => {});

test('EMOJI-6: the store loads all pages when the first emoji is shown, and keeps them', async () => {
  const shown = await showing([message('m1', 1)]);
  const { store, socket } = shown;
  const asked = () => socket.sent.filter(({ method }) => method === 'getEmoji').map(({ params }) => params);
  expect(asked()).toEqual([]);
  watch(store.emoji('party'));
  watch(store.emoji('zebra'));
  expect(asked()).toEqual([{ limit: 200 }]);
  socket.answer('getEmoji', { items: [named('ant'), named('party')], next_cursor: 'more' });
  await settled();
  expect(asked()).toEqual([{ limit: 200, cursor: 'more' }]);
  socket.answer('getEmoji', { items: [named('zebra')] });
  await settled();
  expect(store.emoji('party').get()).toEqual(named('party'));
  expect(store.customEmoji.get().map(({ name }) => name)).toEqual(['ant', 'party', 'zebra']);
  watch(store.emoji('ant'));
  watch(store.customEmoji);
  await pass(shown, 9);
  watch(store.emoji('ant'));
  expect(asked()).toEqual([]);
  // After ten minutes a name that is shown may have been deleted.
  await pass(shown, 2);
  watch(store.emoji('ant'));
  expect(asked()).toEqual([{ limit: 200 }]);
  socket.answer('getEmoji', { items: [named('ant')] });
  await settled();
  expect([store.emoji('ant').get(), store.emoji('party').get()]).toEqual([named('ant'), undefined]);
});

test('EMOJI-6: an unknown name is looked for once, at most once a minute', async () => {
  const shown = await showing([message('m1', 1)]);
  const { store, socket } = shown;
  const calls = () => socket.sent.filter(({ method }) => method === 'getEmoji').length;
  watch(store.emoji('one'));
  expect(calls()).toBe(1);
  socket.answer('getEmoji', { items: [] });
  await settled();
  watch(store.emoji('two'));
  watch(store.emoji('one'));
  expect(calls()).toBe(0);
  await pass(shown, 1);
  expect(calls()).toBe(1);
  socket.answer('getEmoji', { items: [named('two')] });
  await settled();
  expect(store.emoji('two').get()).toEqual(named('two'));
  await pass(shown, 5);
  watch(store.emoji('one'));
  expect(calls()).toBe(0);
});

test('EMOJI-6: what the user makes and deletes is shown at once', async () => {
  const { store, socket } = await showing([message('m1', 1)]);
  watch(store.customEmoji);
  socket.answer('getEmoji', { items: [named('zebra')] });
  await settled();
  store.putEmoji(named('ant'));
  expect(store.customEmoji.get()).toEqual([named('ant'), named('zebra')]);
  expect(store.emoji('ant').get()).toEqual(named('ant'));
  store.removeEmoji('zebra');
  expect(store.customEmoji.get()).toEqual([named('ant')]);
  expect(store.emoji('zebra').get()).toBeUndefined();
});

test('EMOJI-6: a load that the connection interrupts is repeated at once on the next one, and none starts without', async () => {
  const { service, store, socket } = await showing([message('m1', 1)]);
  watch(store.emoji('party'));
  socket.answer('getEmoji', { items: [] });
  await settled();
  // To be looked for in a minute.
  watch(store.emoji('zebra'));
  socket.end(1006);
  await service.clock.advance(MINUTE_MS);
  expect(service.requests.filter(({ name }) => name === 'getEmoji')).toEqual([]);
  const asked = () => service.socket.sent.filter(({ method }) => method === 'getEmoji').length;
  for (const more of [1, 2]) {
    service.socket.hello(0);
    await settled();
    expect([more, asked()]).toEqual([more, 1]);
    service.socket.end(1006);
    await service.clock.advance(10_000);
  }
});
