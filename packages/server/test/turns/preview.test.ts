import { runsOf } from '@parley/testing/depth.ts';
import type { Result } from '@parley/protocol';
import { type Actor, createWorld, unknownId, type World } from '@parley/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';

type Previewed = Result<'previewDispatch'>['agents'][number];
const names = (agents: readonly Previewed[]) => agents.map(({ username }) => username);

/** Alice's provider agent, which has her key, and her bot, in a group with bob. */
async function stage(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  const bot = await botIn(world, alice, chat);
  const preview = async (who: Actor, text = `@${agent.username}`, more: object = {}) =>
    (await who.api.previewDispatch({ chat_id, text, ...more })).agents;
  return { alice, bob, chat, chat_id, agent, bot, preview };
}

test('PREVIEW-1: it names exactly the agents that the message then fires, whatever the text, the quote and the thread', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const chat = await world.group(alice, bob);
  const { id: chat_id } = chat;
  const bots: Actor[] = [];
  for (const slug of ['one', 'two', 'three', 'four']) bots.push(await botIn(world, alice, chat, slug));
  const agent_username = 'alice:provider_a';
  await alice.api.addGroupAgent({ chat_id, agent_username });
  const agents = [...bots.map(({ username }) => username), agent_username];
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'a channel' });
  const threads: { thread_root_id?: string; channel_id?: string }[] = [{}, { channel_id }];
  for (const place of [{}, { channel_id }])
    threads.push({ ...place, thread_root_id: (await bob.api.sendMessage({ chat_id, text: 'root', ...place })).id });
  const said: string[] = [];
  for (const bot of bots) said.push((await bot.api.sendMessage({ chat_id, text: 'quote me' })).id);
  const word = fc.oneof(
    fc.constantFrom(...agents.map((name) => `@${name}`)),
    fc.constantFrom('`@alice:one`', '@ALICE:TWO', 'x@alice:one', '@bob', '@alice', '@alice:five', '@alice:one:', 'so'),
  );
  const step = fc.record({
    who: fc.constantFrom(alice, bob),
    text: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
    place: fc.constantFrom(...threads),
    reply_to_message_id: fc.option(fc.constantFrom(...said), { nil: undefined, freq: 3 }),
    mode: fc.option(
      fc.record({
        agent_username: fc.constantFrom(...agents),
        always_on: fc.boolean(),
        follows_threads: fc.option(fc.boolean(), { nil: undefined }),
      }),
    ),
  });
  let follows = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const { who, text, place, reply_to_message_id, mode } of steps) {
        if (mode) await alice.api.setGroupAgentMode({ chat_id, ...mode });
        const message = { chat_id, text, ...place, reply_to_message_id };
        const { agents: expected } = await who.api.previewDispatch(message);
        follows += expected.filter(({ reason }) => reason === 'follows').length;
        expect((await who.api.sendMessage(message)).dispatch).toEqual(names(expected));
        await world.turnsEnded();
      }
    }),
    { numRuns: runsOf(12) },
  );
  expect(follows).toBeGreaterThan(0);
});

test('PREVIEW-1, TURN-16: it leaves out agents with a full queue and beyond the width, and changes nothing', async () => {
  await using world = await createWorld({ settings: { turnsWaiting: 1, turnsAtOnce: 1, firingsPerMessage: 2 } });
  const { alice, bob, chat, chat_id, agent, bot, preview } = await stage(world);
  const [second, third] = [await botIn(world, alice, chat, 'second'), await botIn(world, alice, chat, 'third')];
  const all = [bot, second, third].map(({ username }) => `@${username}`).join(' ');
  const two = names(await preview(bob, all));
  expect(two).toHaveLength(2);
  expect((await bob.api.sendMessage({ chat_id, text: all })).dispatch).toEqual(two);
  await world.turnsEnded();
  const before = await bob.api.getUpdates({ since: 0 });
  const rows = () => world.sql<{ turns: number }>('SELECT count(*) AS turns FROM turns');
  const turns = await rows();
  const reply = agent.steer();
  const ask = () => bob.api.sendMessage({ chat_id, text: `@${agent.username}` });
  await ask();
  await reply.started;
  world.providers.script(agent.key, { chunks: ['ok'] });
  await ask();
  expect(await preview(bob)).toEqual([]);
  expect(names(await preview(alice))).toEqual([agent.username]);
  reply.text('ok');
  reply.end();
  await world.turnsEnded();
  expect(names(await preview(bob))).toEqual([agent.username]);
  const [stored] = turns;
  expect(Number((await rows())[0]?.turns)).toBe(Number(stored?.turns) + 2);
  expect((await bob.api.getUpdates({ since: before.head })).frames.map(({ method }) => method)).not.toContain(
    'events.alert',
  );
});

test('PREVIEW-2: it refuses what sendMessage refuses, in the same order', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, agent, bot } = await stage(world);
  const cleo = await world.person('cleo');
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      ({ status, description }: { status: number; description: string }) => `${status} ${description}`,
    );
  const calls: [Actor, object][] = [
    [cleo, { chat_id: unknownId }],
    [cleo, {}],
    [bob, { channel_id: unknownId }],
    [bob, { thread_root_id: unknownId }],
    [bob, { reply_to_message_id: unknownId }],
    [bob, { text: 'a'.repeat(32 * 1024 + 1), thread_root_id: unknownId }],
    [bob, { text: 7 }],
  ];
  for (const [who, change] of calls) {
    const message = { chat_id, text: 'hello', ...change };
    const refused = await outcome(who.api.previewDispatch(message));
    expect(refused).toMatch(/^4/);
    if (!('text' in change)) expect(refused).toBe(await outcome(who.api.sendMessage(message)));
  }
  expect(await outcome(bot.api.previewDispatch({ chat_id, text: 'hello' }))).toMatch(/^403/);
  expect((await bob.api.previewDispatch({ chat_id, text: '' })).agents).toEqual([]);
  const direct = await world.direct(alice, bob);
  await alice.api.blockUser({ username: 'bob' });
  const blocked = { chat_id: direct.id, text: `@${agent.username}` };
  expect(await outcome(bob.api.previewDispatch(blocked))).toBe(await outcome(bob.api.sendMessage(blocked)));
});

test('PREVIEW-3: payer is the account whose key would pay; without one needs_key is set', async () => {
  await using world = await createWorld();
  const { alice, bob, agent, bot, preview } = await stage(world);
  const both = `@${agent.username} @${bot.username}`;
  const payers = async (who: Actor) => (await preview(who, both)).map(({ payer, needs_key }) => needs_key ?? payer);
  // In the order of the agents' accounts.
  expect(await payers(alice)).toEqual(['alice', 'alice']);
  expect(await payers(bob)).toEqual(['alice', 'alice']);
  await alice.api.setBotConfig({ username: agent.username, pays_for: 'nobody' });
  expect(await payers(bob)).toEqual([true, 'alice']);
  expect(await preview(bob)).toEqual([
    {
      username: agent.username,
      display_name: expect.any(String),
      reason: 'mentioned',
      payer: null,
      needs_key: true,
      chain_for: 'bob',
    },
  ]);
  await bob.api.setMyBotConfig({ username: agent.username, secrets: { api_key: 'key-of-bob' } });
  expect(await payers(bob)).toEqual(['bob', 'alice']);
  await bob.api.setMyBotConfig({ username: agent.username, secrets: { api_key: '' } });
  await alice.api.setBotConfig({ username: agent.username, pays_for: 'groups' });
  await alice.api.removeAgentKey({ provider: 'provider_a' });
  expect(await payers(bob)).toEqual([true, 'alice']);
  expect(await payers(alice)).toEqual([true, 'alice']);
  // The owner's override is the owner's too, but pays for nobody else.
  await alice.api.setMyBotConfig({ username: agent.username, secrets: { api_key: 'key-of-alice' } });
  expect(await payers(alice)).toEqual(['alice', 'alice']);
  expect(await payers(bob)).toEqual([true, 'alice']);
});

test('PREVIEW-3, KEY-10: it decides as the claim then does', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, agent, preview } = await stage(world);
  for (const key of [agent.key, 'key-of-bob']) world.providers.script(key, { chunks: ['ok'] });
  const mine = { username: agent.username };
  const turns: (() => Promise<unknown>)[] = [
    () => Promise.resolve(),
    () => alice.api.setBotConfig({ ...mine, pays_for: 'nobody' }),
    () => bob.api.setMyBotConfig({ ...mine, secrets: { api_key: 'key-of-bob' } }),
    () => alice.api.setBotConfig({ ...mine, pays_for: 'everyone' }),
    () => bob.api.setMyBotConfig({ ...mine, secrets: { api_key: '' } }),
  ];
  for (const change of turns) {
    await change();
    const [found] = await preview(bob);
    await bob.api.sendMessage({ chat_id, text: `@${agent.username}` });
    await world.turnsEnded();
    const [turn] = await world.sql<{ payer: string | null }>('SELECT payer FROM turns ORDER BY key DESC LIMIT 1');
    const claimed = { owner: 'alice', asker: 'bob', none: null }[turn?.payer ?? 'none'];
    expect(found?.payer).toBe(claimed);
  }
});

test('PREVIEW-3: nobody pays for the guide, and it needs no key', async () => {
  await using world = await createWorld();
  const member = await world.member();
  const { items } = await member.api.getChats();
  expect((await member.api.previewDispatch({ chat_id: items[0]?.id ?? '', text: 'hello' })).agents).toEqual([
    { username: 'parley:guide', display_name: expect.any(String), reason: 'always_on', payer: null },
  ]);
});

test('PREVIEW-6: chain_for is the human for whom agents run that a reply mentions: the caller only if the message asks', async () => {
  await using world = await createWorld();
  const { alice, bob, chat, chat_id, agent, bot, preview } = await stage(world);
  const chains = async (text: string, more: object = {}) =>
    (await preview(bob, text, more)).map(({ username, reason, chain_for }) => [username, reason, chain_for]);
  const both = `@${agent.username} @${bot.username}`;
  expect(await chains(both)).toEqual([
    [agent.username, 'mentioned', 'bob'],
    [bot.username, 'mentioned', 'bob'],
  ]);
  const said = await bot.api.sendMessage({ chat_id, text: 'quote me' });
  expect(await chains('why?', { reply_to_message_id: said.id })).toEqual([[bot.username, 'quoted', 'bob']]);
  await alice.api.setGroupAgentMode({ chat_id, agent_username: bot.username, always_on: true });
  expect(await chains('hello')).toEqual([[bot.username, 'always_on', 'alice']]);
  await alice.api.setGroupAgentMode({ chat_id, agent_username: bot.username, always_on: false, follows_threads: true });
  const root = await bob.api.sendMessage({ chat_id, text: 'a thread' });
  const place = { thread_root_id: root.id };
  await bob.api.sendMessage({ chat_id, text: `@${bot.username} hello`, ...place });
  expect(await chains('and then?', place)).toEqual([[bot.username, 'follows', 'alice']]);
  // As it then happens.
  const heard = await bob.api.sendMessage({ chat_id, text: 'and then?', ...place });
  const teller = await botIn(world, bob, chat, 'teller');
  const { id } = await bot.api.startMessageStream({ chat_id, ...place, reply_to_message_id: heard.id });
  const reply = await bot.api.finishMessageStream({ message_id: id, text: `@${teller.username}` });
  expect(await teller.api.getRunConfig({ message_id: reply.id })).toMatchObject({ user: 'alice' });
  // Where no other agent is, there is no chain.
  for (const one of [agent.username, teller.username])
    await (one === agent.username ? alice : bob).api.removeGroupAgent({ chat_id, agent_username: one });
  expect((await preview(bob, `@${bot.username}`))[0]).not.toHaveProperty('chain_for');
});
