import { limits } from '@parley/protocol';
import { createWorld } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';

const weather = {
  command: 'weather',
  description: 'The weather of today',
  arguments: [{ name: 'city', required: true, description: 'Where' }, { name: 'unit' }],
};

test('COMMAND-1, COMMAND-2: a bot sets its commands, and the participants of its conversations see them', async () => {
  await using world = await createWorld();
  const { alice, bob, cleo } = await world.people('alice', 'bob', 'cleo');
  const [bot, silent] = [await world.bot(alice), await world.bot(alice, 'silent')];
  const { id: chat_id } = await world.group(alice, bob);
  for (const { username } of [bot, silent]) await alice.api.addGroupAgent({ chat_id, agent_username: username });
  const shown = async () => (await bob.api.getBotCommands({ chat_id })).items;
  expect(await shown()).toEqual([]);
  await bot.api.setBotCommands({ commands: [weather, { command: 'help', description: 'Help' }] });
  const { username, kind, display_name } = await bot.api.getMe();
  const ofBot = { username, kind, display_name };
  expect(await shown()).toEqual([{ bot: ofBot, commands: [weather, { command: 'help', description: 'Help' }] }]);
  await world.restart();
  await bot.api.setBotCommands({ commands: [weather] });
  expect(await shown()).toEqual([{ bot: ofBot, commands: [weather] }]);
  expect(await failure(cleo.api.getBotCommands({ chat_id }))).toMatchObject({ status: 403 });
  await bot.api.setBotCommands({ commands: [] });
  expect(await shown()).toEqual([]);
  await bot.api.setBotCommands({ commands: [weather] });
  await alice.api.deleteBot({ username });
  expect(await shown()).toEqual([]);
});

test('COMMAND-1: people have no commands; names are checked, each is there once, and all are bounded', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const bot = await world.bot(alice);
  const set = (commands: (typeof weather | { command: string; description: string })[], who = bot) =>
    who.api.setBotCommands({ commands });
  expect(await failure(set([weather], alice))).toMatchObject({ status: 403 });
  for (const command of ['', '/weather', 'Weather', 'two words', '1st', 'a'.repeat(33)])
    expect([command, await failure(set([{ command, description: 'x' }]))]).toMatchObject([command, { status: 400 }]);
  expect(await failure(set([{ command: 'blank', description: ' ' }]))).toMatchObject({ status: 400 });
  expect(await failure(set([weather, weather]))).toMatchObject({ status: 400 });
  const many = Array.from({ length: limits.botCommands }, (_, at) => ({ command: `c${at}`, description: 'x' }));
  await set(many);
  expect(await failure(set([...many, weather]))).toMatchObject({ status: 400 });
  const argument = { name: 'n', description: 'x'.repeat(200) };
  const long = many.map((command) => ({ ...command, arguments: [argument, argument] }));
  expect(await failure(bot.api.setBotCommands({ commands: long }))).toMatchObject({ status: 413 });
});

test('COMMAND-3: a command alone fires no bot; with a mention it fires the mentioned one', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  const { username } = bot;
  await alice.api.addGroupAgent({ chat_id, agent_username: username, always_on: false });
  await bot.api.setBotCommands({ commands: [weather] });
  const fired = async (text: string) => (await bob.api.sendMessage({ chat_id, text })).dispatch;
  expect(await fired('/weather Rome')).toEqual([]);
  expect(await fired(`@${username} /weather Rome`)).toEqual([username]);
});
