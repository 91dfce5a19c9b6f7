import { get as httpGet, type IncomingMessage } from 'node:http';
import { createApi } from '@parley/client';
import { createWorld, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { repeatedly } from '@parley/testing/world/in-batches.ts';
import { expect, test } from 'vitest';
import { get } from '../helpers/file-stage.ts';

const password = 'correct horse battery staple';
const MINUTE = 60_000;
const asked = { status: 403, code: 'forbidden', parameters: { field: 'password' } };

test('EXPORT-1: an export’s address stops working when the session that requested it ends', async () => {
  await using world = await createWorld();
  const nora = await world.member('nora');
  const thief = await world.signIn(nora);
  const { url } = await thief.api.exportMyData();
  const own = await nora.api.exportMyData();
  const statusOf = async (address: string) => {
    const response = await get(world, address);
    await response.arrayBuffer();
    return response.status;
  };
  expect(await statusOf(url)).toBe(200);
  await nora.api.terminateOtherSessions();
  expect(await statusOf(url)).toBe(403);
  // The address does not work either with another session's id, or without one.
  const session = (address: string) => new URL(address, world.url).searchParams.get('session') ?? '';
  expect(session(url)).not.toBe('');
  expect(await statusOf(url.replace(session(url), session(own.url)))).toBe(403);
  expect(await statusOf(url.replace(`session=${session(url)}&`, ''))).toBe(403);
  expect(await statusOf(own.url)).toBe(200);
});

test('EXPORT-4: a download is cut off when the session that requested it ends', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const nora = await world.member('nora');
  const thief = await world.signIn(nora);
  const { id: chat_id } = await world.direct(nora, nora);
  const text = 'z'.repeat(30_000);
  await repeatedly(400, () => nora.api.sendMessage({ chat_id, text }));
  const { url } = await thief.api.exportMyData();
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  httpGet(`${world.url}${url}`, resolve);
  const response = await promise;
  response.pause();
  await nora.api.changePassword({ old_password: password, new_password: 'battery staple horse' });
  const end = Promise.withResolvers<string>();
  response.on('error', () => end.resolve('cut off')).on('end', () => end.resolve('whole'));
  response.resume();
  expect(await end.promise).toBe('cut off');
});

test('AUTH-22: exportMyData, createBot, rotateBotToken and createAccessToken ask for the password 15 minutes after the sign-in', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { api } = await world.member('nora');
  const { username } = await world.bot(await world.person('otto'));
  let bots = 0;
  const slug = () => `b${(bots += 1)}`;
  const { bot } = await api.createBot({ slug: slug(), display_name: 'B' });
  const calls = [
    (given: { password?: string }) => api.exportMyData(given),
    (given: { password?: string }) => api.createBot({ slug: slug(), display_name: 'B', ...given }),
    (given: { password?: string }) => api.rotateBotToken({ username: bot.username, ...given }),
    (given: { password?: string }) => api.createAccessToken({ name: 'x', scopes: ['read'], ...given }),
  ];
  await clock.advance(15 * MINUTE);
  for (const call of calls) await call({});
  await clock.advance(1);
  for (const call of calls) {
    await expect(call({})).rejects.toMatchObject(asked);
    await expect(call({ password: 'not the password' })).rejects.toMatchObject(asked);
    await call({ password });
  }
  // 404 for an unknown or another owner's bot comes before the request for the password.
  await expect(api.rotateBotToken({ username: 'nora:nothing' })).rejects.toMatchObject({ status: 404 });
  await expect(api.rotateBotToken({ username })).rejects.toMatchObject({ status: 404 });
  // A session that has just signed in needs no password.
  const { token } = await api.signIn({ username: 'nora', password });
  await createApi({ url: world.url, token }).exportMyData();
});

test('AUTH-22: an account without a password is not asked for one', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { api } = await world.person('otto');
  await clock.advance(60 * MINUTE);
  await api.exportMyData();
  const { bot } = await api.createBot({ slug: 'b', display_name: 'B' });
  await api.rotateBotToken({ username: bot.username });
});

embeddedTest('several nodes take their rates from the clock of Redis')(
  'AUTH-22, PEOPLE-7: password attempts of a stolen session count; they do not delay the owner’s other sessions',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, env: { RATE_LIMITS: '1' } });
    const { api } = await world.member('nora');
    await clock.advance(16 * MINUTE);
    for (let times = 0; times < 5; times += 1)
      await expect(api.exportMyData({ password: 'a guess' })).rejects.toMatchObject(asked);
    await expect(api.exportMyData({ password })).rejects.toMatchObject({ status: 429 });
    await expect(api.createBot({ slug: 'b', display_name: 'B', password })).rejects.toMatchObject({ status: 429 });
    await clock.advance(12_000);
    await api.exportMyData({ password });
  },
);
