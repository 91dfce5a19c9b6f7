import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const GATHER_MS = 150;
const online = (username: string) => ({ username, status: 'online' as const });

test('PRESENCE-6: the store asks about accounts that are shown, in one call, and takes events about them', async () => {
  const { service, store, socket, frame } = await showing([message('m1', 1)]);
  const asked = () => socket.sent.filter(({ method }) => method === 'getPresence').map(({ params }) => params);
  const end = store.presence('ann').subscribe(() => {});
  store.presence('bob').subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  expect(asked()).toEqual([{ usernames: ['ann', 'bob'] }]);
  socket.answer('getPresence', { items: [online('ann')] });
  await settled();
  expect([store.presence('ann').get(), store.presence('bob').get()]).toEqual([online('ann'), undefined]);
  // It is known already: no other call.
  store.presence('ann').subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  expect(asked()).toEqual([]);
  const away = { username: 'ann', status: 'offline' as const, last_seen_at: '2026-01-01T00:00:00.000Z' };
  frame('presence', away);
  frame('presence', online('eve'));
  expect([store.presence('ann').get(), store.presence('eve').get()]).toEqual([away, undefined]);
  end();
  await service.clock.advance(60_000);
  expect(asked()).toEqual([{ usernames: ['ann', 'bob'] }]);
});

test('PRESENCE-6: when the app no longer shows any presence, the store ends the events with an empty list', async () => {
  const { service, store, socket } = await showing([message('m1', 1)]);
  const end = store.presence('ann').subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  socket.answer('getPresence', { items: [online('ann')] });
  await settled();
  end();
  const asked = () => socket.sent.filter(({ method }) => method === 'getPresence').map(({ params }) => params);
  await service.clock.advance(60_000);
  expect(asked()).toEqual([{ usernames: [] }]);
  // A call that fails is repeated.
  socket.refuse('getPresence', 'rate_limited');
  await settled();
  await service.clock.advance(60_000);
  expect(asked()).toEqual([{ usernames: [] }]);
  socket.answer('getPresence', { items: [] });
  await settled();
  await service.clock.advance(120_000);
  expect(asked()).toEqual([]);
});

test('PRESENCE-6: without a connection no presence is known, and it is asked for again afterwards', async () => {
  const { service, store, socket } = await showing([message('m1', 1)]);
  store.presence('ann').subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  socket.answer('getPresence', { items: [online('ann')] });
  await settled();
  expect(store.presence('ann').get()).toEqual(online('ann'));
  socket.end(1006);
  await settled();
  expect(store.presence('ann').get()).toBeUndefined();
});

test('PRESENCE-6: of more than 100 shown accounts, the store asks about those that were shown last', async () => {
  const { service, store, socket } = await showing([message('m1', 1)]);
  const names = Array.from({ length: 130 }, (_, at) => `p${at}`);
  for (const name of names) store.presence(name).subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  expect(socket.sent.at(-1)?.params).toEqual({ usernames: names.slice(30) });
  socket.answer('getPresence', { items: [] });
  await service.clock.advance(10_000);
  expect(socket.sent.filter(({ method }) => method === 'getPresence')).toEqual([]);
});

test('STATUS-4: the store hides a status at its end, without asking the service', async () => {
  const { service, store, socket, frame } = await showing([message('m1', 1)]);
  for (const name of ['ann', 'bob']) store.presence(name).subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  const inMs = (ms: number) => new Date(service.clock.now() + ms).toISOString();
  const away = { text: 'away', until: inMs(20_000) };
  socket.answer('getPresence', { items: [{ ...online('ann'), custom_status: away }, online('bob')] });
  await settled();
  const lunch = { emoji: '🍜', until: inMs(10_000) };
  frame('presence', { username: 'bob', custom_status: lunch });
  const shown = () => ['ann', 'bob'].map((name) => store.presence(name).get()?.custom_status);
  await service.clock.advance(9_999);
  expect(shown()).toEqual([away, lunch]);
  await service.clock.advance(1);
  expect(shown()).toEqual([away, undefined]);
  await service.clock.advance(10_000);
  expect(store.presence('ann').get()).toEqual(online('ann'));
  expect(socket.sent).toEqual([]);
});

test('STATUS-6: a status that the user sets is shown at once', async () => {
  const { service, store, socket } = await showing([message('m1', 1)]);
  const me = 'me';
  store.presence(me).subscribe(() => {});
  await service.clock.advance(GATHER_MS);
  socket.answer('getPresence', { items: [] });
  await settled();
  store.putStatus({ text: 'away' });
  expect(store.presence(me).get()).toEqual({ username: me, custom_status: { text: 'away' } });
  store.putStatus({});
  expect(store.presence(me).get()?.custom_status).toBeUndefined();
});
