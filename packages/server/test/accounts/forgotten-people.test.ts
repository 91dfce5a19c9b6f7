import { createWorld } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { openTurnsOfHuman } from '../../store/turns.ts';
import { botIn } from '../helpers/agents.ts';
import { get, photo, storedNames, upload } from '../helpers/file-stage.ts';
import { allText, rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';

test('BOT-4: a deleted bot loses its bio and avatar immediately; its messages keep its name', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const bot = await botIn(world, alice, chat);
  const { id: avatar_file_id } = await upload(bot, await photo('png'), 'me.png');
  const { avatar_url } = await bot.api.updateProfile({ display_name: 'Botty', bio: 'all about me', avatar_file_id });
  await bot.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  const watching = await bob.socket('ext');
  await alice.api.deleteBot({ username: bot.username });
  const told = await watching.event('accountUpdated', ({ username }) => username === bot.username);
  const { items } = await bob.api.getChatHistory({ chat_id: chat.id });
  for (const shown of [told, items[0]?.sender]) {
    expect(shown).toMatchObject({ display_name: 'Botty', is_deleted: true });
    expect(shown).not.toHaveProperty('bio');
    expect(shown).not.toHaveProperty('avatar_url');
  }
  while (world.services.some(({ files }) => !files.isIdle)) await turnOfLoop();
  expect((await get(world, avatar_url)).status).toBe(404);
  expect(await allText(world)).not.toContain('all about me');
});

test('PEOPLE-9: bots that were deleted before their owner lose their names when the owner is deleted', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const { bob } = await world.people('bob');
  const chat = await world.group(bob, anna);
  const bot = await botIn(world, anna, chat);
  await bot.api.updateProfile({ display_name: 'Annas Butler' });
  await bot.api.sendMessage({ chat_id: chat.id, text: 'hello' });
  await anna.api.deleteBot({ username: bot.username });
  const sender = async () => (await bob.api.getChatHistory({ chat_id: chat.id })).items[0]?.sender;
  expect(await sender()).toMatchObject({ display_name: 'Annas Butler' });
  await anna.api.deleteAccount({ password });
  expect(await sender()).toMatchObject({ display_name: 'Deleted account', is_deleted: true });
  expect((await allText(world)).toLowerCase()).not.toContain('annas butler');
});

test('PEOPLE-8: unsent files of an account and its bots are deleted with it; sent ones stay', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const { bob } = await world.people('bob');
  const bot = await world.bot(anna);
  const { id: chat_id } = await world.direct(anna, bob);
  const sent = await upload(anna, 'for bob', 'sent.txt');
  await anna.api.sendMessage({ chat_id, text: 'here', attachments: [{ id: sent.id }] });
  await upload(anna, await photo('png'), 'kept-back.png');
  for (let at = 0; at < 3; at += 1) await upload(anna, `mine ${at}`, `kept-back-${at}.txt`);
  await upload(bot, 'of the bot', 'kept-back-bot.txt');
  const theirs = await upload(bob, 'of bob', 'bobs.txt');
  await anna.api.deleteAccount({ password });
  while (world.services.some(({ files }) => !files.isIdle)) await turnOfLoop();
  expect(await allText(world)).not.toContain('kept-back');
  expect(await storedNames(world)).toEqual([sent.id, theirs.id].toSorted());
});

test('PEOPLE-9, USAGE-10: usage records of its agents are deleted with their owner, and nothing is recorded afterwards', async () => {
  await using world = await createWorld();
  const anna = await world.member('anna');
  const { bob } = await world.people('bob');
  const chat = await world.group(anna, bob);
  const bot = await botIn(world, anna, chat);
  const other = await botIn(world, bob, chat, 'other');
  const usage = { input_tokens: 2, output_tokens: 1 };
  for (const { api } of [bot, other]) {
    const { id: message_id } = await api.startMessageStream({ chat_id: chat.id });
    await api.finishMessageStream({ message_id, text: 'done', usage });
  }
  await anna.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-of-anna-1234' });
  await anna.api.addGroupAgent({ chat_id: chat.id, agent_username: 'anna:provider_a' });
  const reply = world.providers.steer('sk-of-anna-1234');
  await anna.api.sendMessage({ chat_id: chat.id, text: '@anna:provider_a ?' });
  await reply.started;
  reply.text('half');
  await anna.api.deleteAccount({ password });
  await world.turnsEnded();
  expect([await rowsIn(world, 'usage'), await rowsIn(world, 'usage_months')]).toEqual([1, 1]);
  expect((await bob.api.getUsage()).items).toMatchObject([{ agent: other.username, replies: 1 }]);
});

embeddedTest('its plans')('PEOPLE-13: a person’s turns are found without reading those of others', async () => {
  await using world = await createWorld();
  const sql = `EXPLAIN QUERY PLAN ${openTurnsOfHuman.sql}`;
  const plan = await world.service.read.all<{ detail: string }, []>({ sql });
  const steps = plan.map(({ detail }) => detail).join('\n');
  expect(steps).toMatch(/SEARCH turns USING INDEX turns_open_of_human \(human_key=\?\)/);
  expect(steps).not.toMatch(/TEMP B-TREE/);
});
