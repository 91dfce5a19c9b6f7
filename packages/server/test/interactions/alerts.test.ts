import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';

test('ALERT-1: an alert goes to all sockets of its recipient, and to no others', async () => {
  await using world = await createWorld();
  const { alice, bob, carol } = await world.people('alice', 'bob', 'carol');
  await world.group(alice, bob, carol);
  const [own, other, ...ofBob] = [
    await alice.socket(),
    await carol.socket(),
    await bob.socket(),
    await bob.socket('nodrafts'),
  ];
  await alice.api.pushAlert({ to_username: 'bob', text: 'the build is red', title: 'CI', level: 'error' });
  const from = { username: 'alice', kind: 'human', display_name: 'alice' };
  for (const socket of ofBob)
    expect(await socket.event('alert')).toEqual({ title: 'CI', text: 'the build is red', level: 'error', from });
  await world.settle();
  expect([own, other].flatMap((socket) => socket?.frames)).toEqual([]);
});

test('ALERT-2: the level defaults to info and the title is optional; bots can alert too', async () => {
  await using world = await createWorld();
  const { alice } = await world.people('alice');
  const bot = await world.bot(alice);
  await world.direct(alice, bot);
  const socket = await alice.socket();
  await socket.rpc('pushAlert', { to_username: bot.username, text: 'ping' });
  await bot.api.pushAlert({ to_username: 'alice', text: 'pong' });
  const from = { username: bot.username, kind: 'agent', display_name: 'bot' };
  expect(await socket.event('alert')).toEqual({ text: 'pong', level: 'info', from });
});

test('ALERT-3: 404 for an unknown account, 403 without a shared conversation', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const alert = (to_username: string) => alice.api.pushAlert({ to_username, text: 'hi' });
  await expect(alert('nobody')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(alert('bob')).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  const chat = await world.group(alice, bob);
  expect(await alert('bob')).toBeUndefined();
  await bob.api.leaveChat({ chat_id: chat.id });
  await expect(alert('bob')).rejects.toMatchObject({ status: 403 });
  expect((await bob.api.getUpdates({ since: 0 })).frames).toHaveLength(1);
});

test('ALERT-4: an alert to an offline account succeeds too, and is delivered if the account connects within a minute', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  await world.direct(alice, bob);
  expect(await alice.api.pushAlert({ to_username: 'bob', text: 'hi' })).toBeUndefined();
  const { frames } = await bob.api.getUpdates({ since: 0 });
  expect(frames).toMatchObject([{ method: 'events.alert', params: { text: 'hi' } }]);
});

test('ALERT-5: the text has 1 byte to 4 KiB, the title at most 256 bytes, and there are three levels', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  await world.direct(alice, bob);
  const socket = await bob.socket();
  const alert = (change: object) => socket.rpc('pushAlert', { to_username: 'alice', text: 'hi', ...change });
  await alert({ text: 'ä'.repeat(2_048), title: 'ä'.repeat(128), level: 'success' });
  await expect(alert({ text: 'ä'.repeat(2_049) })).rejects.toMatchObject({ status: 413, code: 'too_large' });
  for (const [field, value] of Object.entries({ text: '', title: 'x'.repeat(257), level: 'fatal' }))
    await expect(alert({ [field]: value })).rejects.toMatchObject({ status: 400, parameters: { field } });
});

test('ALERT-9: a title that could pass for the service’s own is refused', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  await world.group(alice, bob);
  const alert = (title: string) => alice.api.pushAlert({ to_username: 'bob', text: 'hi', title });
  for (const title of ['Parley security: sign in again', 'From P а r l e y', 'PARLEY'])
    await expect(alert(title)).rejects.toMatchObject({ status: 400, code: 'invalid_argument' });
  await alert('The build');
});
