import { readFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { repeatedly } from '@parley/testing/world/in-batches.ts';
import { expect, test } from 'vitest';
import { get, upload } from '../helpers/file-stage.ts';
import { LoopWatch } from '../helpers/held-loop.ts';
import { newSecret, secretsIn } from '../helpers/secret-places.ts';

type Export = Record<string, unknown[]> & { account: Record<string, unknown> };
const password = 'correct horse battery staple';

const urlOf = async ({ api }: Actor): Promise<string> => (await api.exportMyData()).url;

async function download(world: World, actor: Actor): Promise<{ text: string; data: Export }> {
  const response = await get(world, await urlOf(actor));
  expect(response.status).toBe(200);
  const text = await response.text();
  return { text, data: JSON.parse(text) as Export }; // the form that EXPORT-2 defines
}

test('EXPORT-1, EXPORT-2, SCHEDULE-9, SCHED-12: an account’s own data is one document, at an address that needs no token', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ben } = await world.people('ben');
  const { id: older } = await ben.api.startChat({ usernames: [], title: 'older than anna' });
  const { id: olderThanAnna } = await ben.api.sendMessage({ chat_id: older, text: 'before anna came' });
  await clock.advance(60_000);
  const anna = await world.member('anna');
  await ben.api.addMembers({ chat_id: older, usernames: ['anna'] });
  const { id: chat_id } = await world.group(anna, ben);
  const { id: theirs } = await ben.api.sendMessage({ chat_id, text: 'what ben wrote' });
  const file = await upload(anna, 'hello', 'notes.txt');
  const attachments = [{ id: file.id }];
  const { id: own } = await anna.api.sendMessage({ chat_id, text: 'first', reply_to_message_id: theirs, attachments });
  const { id: long } = await anna.api.sendMessage({ chat_id, text: 'x'.repeat(30_000) });
  const { id: deleted } = await anna.api.sendMessage({ chat_id, text: 'thought better of it' });
  await anna.api.deleteMessages({ message_ids: [deleted] });
  await ben.api.setMessageReaction({ message_id: own, emoji: '👍' });
  await anna.api.setMessageReaction({ message_id: theirs, emoji: '🎉' });
  await anna.api.setMessageReaction({ message_id: olderThanAnna, emoji: '🥳' });
  const poll = { question: 'which of them, asked ben', options: ['a', 'b'] };
  const { id: asked } = await ben.api.sendMessage({ chat_id, text: '', poll });
  await anna.api.votePoll({ message_id: asked, options: [1] });
  await anna.api.markRead({ chat_id, message_id: theirs });
  await anna.api.saveDraft({ chat_id, text: 'not yet' });
  await anna.api.saveDraft({ chat_id, thread_root_id: theirs, text: 'nor here' });
  const inAnHour = new Date(clock.now() + 3_600_000).toISOString();
  await anna.api.scheduleMessage({ chat_id, text: 'good night', send_at: inAnHour });
  const everyDay = { every: 'day', zone: 'Europe/Berlin' } as const;
  await anna.api.createSchedule({ chat_id, text: 'good morning', when: everyDay });
  await anna.api.remindMe({ message_id: theirs, remind_at: inAnHour });
  await anna.api.blockUser({ username: 'ben' });
  await anna.api.setChatNotifications({ chat_id, is_muted: true });
  await anna.api.updateProfile({ display_name: 'Anna', bio: 'me' });
  await anna.api.setMyBotConfig({ username: 'anna:provider_a', config: { model: 'small' } });
  await world.bot(anna);
  await anna.api.createAgent({
    slug: 'local',
    display_name: 'Local',
    provider: 'provider_b',
    model: 'llama',
    base_url: 'https://models.example/v1',
    context: { messages: 3 },
    visibility: 'private',
    pays_for: 'nobody',
  });
  await anna.api.setBotConfig({ username: 'anna:local', secrets: { api_key: 'sk-that-is-not-exported' } });
  await anna.api.registerPushToken({ platform: 'ios', token: 'aabbccdd', locale: 'de' });
  const gone = await world.group(anna, ben);
  const { id: left } = await anna.api.sendMessage({ chat_id: gone.id, text: 'before I left' });
  await anna.api.setMemberRole({ chat_id: gone.id, username: 'ben', role: 'owner' });
  await anna.api.leaveChat({ chat_id: gone.id });

  const { text, data } = await download(world, anna);
  const rule = readFileSync('docs/spec/accounts.md', 'utf8').match(/\*\*EXPORT-2\*\* .*/)?.[0] ?? '';
  expect(Object.keys(data).filter((part) => !rule.includes(`\`${part}\``))).toEqual([]);
  expect(data.account).toEqual(await anna.api.getMe());
  expect(data['sessions']).toHaveLength(1);
  expect(data['conversations']).toHaveLength(3);
  expect(data['conversations']).toContainEqual(
    expect.objectContaining({
      id: chat_id,
      role: 'owner',
      is_muted: true,
      last_read_message_id: theirs,
      members: [expect.objectContaining({ username: 'ben' }), expect.objectContaining({ username: 'anna' })],
    }),
  );
  expect(data['messages']?.map((message) => (message as { id: string }).id)).toEqual([own, long, left]);
  expect(data['messages']?.[0]).toMatchObject({
    content: 'first',
    reply_to_id: theirs,
    reactions: [{ emoji: '👍', count: 1 }],
  });
  expect(data['reactions']).toEqual([
    expect.objectContaining({ message_id: olderThanAnna, emoji: '🥳' }),
    expect.objectContaining({ message_id: theirs, emoji: '🎉' }),
  ]);
  expect(data['votes']).toEqual([expect.objectContaining({ message_id: asked, options: [1] })]);
  expect(data['drafts']).toMatchObject([
    { chat_id, text: 'not yet' },
    { chat_id, thread_root_id: theirs, text: 'nor here' },
  ]);
  expect(data['scheduled_messages']).toMatchObject([{ chat_id, text: 'good night', send_at: inAnHour }]);
  expect(data['schedules']).toMatchObject([{ chat_id, text: 'good morning', when: everyDay, state: 'active' }]);
  expect(data['reminders']).toEqual([{ message_id: theirs, remind_at: inAnHour }]);
  expect(data['blocked']).toEqual([expect.objectContaining({ username: 'ben' })]);
  expect(data['agents']).toHaveLength(4);
  expect(data['agents']).toContainEqual(
    expect.objectContaining({
      account: expect.objectContaining({ username: 'anna:local' }),
      config: { model: 'llama' },
      base_url: 'https://models.example/v1',
      context: { messages: 3 },
      visibility: 'private',
      pays_for: 'nobody',
    }),
  );
  expect(text).not.toContain('sk-that-is-not-exported');
  expect(data['agent_settings']).toEqual([{ agent: 'anna:provider_a', config: { model: 'small' } }]);
  expect(data['push_devices']).toEqual([expect.objectContaining({ platform: 'ios', locale: 'de' })]);
  expect(data['files']).toEqual([expect.objectContaining({ id: file.id, name: 'notes.txt' })]);
  const [{ url } = { url: '' }] = data['files'] as { url: string }[]; // checked above
  expect(await (await get(world, url)).text()).toBe('hello');
  for (const foreign of ['what ben wrote', 'thought better of it', 'asked ben']) expect(text).not.toContain(foreign);
});

test('EXPORT-3: an export contains no secret and no text of others, forwarded or not', async () => {
  await using world = await createWorld();
  const clara = await world.member('clara');
  const { dave } = await world.people('dave');
  const { id: chat_id } = await world.direct(clara, dave);
  const { id } = await dave.api.sendMessage({ chat_id, text: 'dave alone wrote this' });
  await clara.api.forwardMessages({ message_ids: [id], to_chat_id: chat_id });
  const key = newSecret('key of clara');
  await clara.api.setAgentKey({ provider: 'provider_a', api_key: key });
  const bot = await world.bot(clara);
  const push = newSecret('push')
    .replaceAll(/[^0-9a-f]/g, '')
    .padEnd(32, '0');
  await clara.api.registerPushToken({ platform: 'ios', token: push });
  const { text, data } = await download(world, clara);
  const secrets = new Map(Object.entries({ key, push, password, session: clara.token, bot: bot.token }));
  expect(secretsIn(Buffer.from(text), secrets)).toEqual([]);
  expect(text).not.toContain('argon2');
  expect(text).not.toContain('dave alone wrote this');
  expect(data['messages']?.[0]).not.toHaveProperty('content');
  expect(data['messages']).toEqual([
    expect.objectContaining({ forwarded_from: expect.objectContaining({ sender: expect.anything() }) }),
  ]);
  expect(data['secrets']).toEqual([{ agent: 'clara:provider_a', field: 'api_key', tail: `••••${key.slice(-4)}` }]);
});

test('EXPORT-1: an address is valid for ten minutes, serves only its account, and stops working when the account is deleted or disabled', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { emma } = await world.people('emma');
  const fay = await world.member('fay');
  const statusOf = async (url: string): Promise<number> => {
    const response = await get(world, url);
    await response.arrayBuffer();
    return response.status;
  };
  const url = await urlOf(emma);
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(url.replace(/&s=.*/, ''))).toBe(403);
  expect(await statusOf(url.replace(/a=\w+/, 'a=zz'))).toBe(403);
  expect(await statusOf(`${url}&a=1`)).toBe(403);
  expect(await statusOf('/exports/my-data.json')).toBe(403);
  await clock.advance(600_000);
  expect(await statusOf(url)).toBe(403);
  const last = await urlOf(fay);
  await fay.api.deleteAccount({ password });
  expect(await statusOf(last)).toBe(403);
});

test('EXPORT-4, EXPORT-5: an owner has one export at a time, built as it is read; a stalled reader blocks no other work', async () => {
  await using world = await createWorld();
  // Each node counts its own exports.
  world.stayOnFirst();
  const { greta, hans } = await world.people('greta', 'hans');
  const { id: chat_id } = await world.direct(greta, hans);
  const text = 'y'.repeat(30_000);
  await repeatedly(400, () => greta.api.sendMessage({ chat_id, text }));
  const url = await urlOf(greta);
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const request = httpGet(`${world.url}${url}`, resolve);
  const response = await promise;
  // While the client does not read, twelve megabytes wait in the database, not in memory.
  response.pause();
  expect(world.sum(({ exports }) => exports.running)).toBe(1);
  expect((await get(world, url)).status).toBe(409);
  expect((await get(world, await urlOf(hans))).status).toBe(200);
  request.destroy();
  while (world.sum(({ exports }) => exports.running) > 0) await turnOfLoop();
  const loop = new LoopWatch();
  const whole = await loop.over('an export', () => download(world, greta));
  expect(whole.data['messages']).toHaveLength(400);
});

test('EXPORT-4: a download is cut off when its account is deleted', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const ivan = await world.member('ivan');
  const { id: chat_id } = await world.direct(ivan, ivan);
  const text = 'z'.repeat(30_000);
  await repeatedly(400, () => ivan.api.sendMessage({ chat_id, text }));
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  httpGet(`${world.url}${await urlOf(ivan)}`, resolve);
  const response = await promise;
  response.pause();
  await ivan.api.deleteAccount({ password });
  const end = Promise.withResolvers<string>();
  response.on('error', () => end.resolve('cut off')).on('end', () => end.resolve('whole'));
  response.resume();
  expect(await end.promise).toBe('cut off');
});

test('EXPORT-4: a download is cut off after ten minutes, and its slot is freed', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { kim, leo } = await world.people('kim', 'leo');
  const query = Object.fromEntries(new URL(await urlOf(kim), world.url).searchParams);
  // Read without HTTP: the buffers of a connection are so large that a small document never waits for its reader.
  const { document } = await world.service.exports.open(query);
  const cut = Promise.withResolvers<Error>();
  document.once('error', cut.resolve);
  await clock.advance(599_000);
  expect(world.sum(({ exports }) => exports.running)).toBe(1);
  expect((await get(world, await urlOf(kim))).status).toBe(409);
  await clock.advance(1_000);
  expect(await cut.promise).toMatchObject({ code: 'unavailable' });
  expect(world.sum(({ exports }) => exports.running)).toBe(0);
  await download(world, leo);
});

test('EXPORT-4: people who do not read their downloads do not keep others from exporting', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  // Each node counts its own exports.
  world.stayOnFirst();
  await world.people('a1', 'a2', 'a3', 'a4', 'vera');
  const open = async (name: string) => {
    const url = await urlOf(await world.person(name));
    return world.service.exports.open(Object.fromEntries(new URL(url, world.url).searchParams));
  };
  const stalled = await Promise.all(['a1', 'a2', 'a3', 'a4'].map(open));
  const cut = stalled.map(({ document }) => new Promise((resolve) => document.once('error', resolve)));
  const vera = await world.person('vera');
  expect((await get(world, await urlOf(vera))).status).toBe(503);
  await clock.advance(5_000);
  await download(world, vera);
  expect(await Promise.race(cut)).toMatchObject({ code: 'unavailable' });
  expect(world.sum(({ exports }) => exports.running)).toBe(3);
  for (const { document } of stalled) document.destroy();
});
