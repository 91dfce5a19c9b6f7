import type { Result } from '@parley/protocol';
import { type Actor, createWorld, ManualClock, type World, type WorldOptions } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';

const text =
  '{% button action="buy" /%} {% button action="cancel:it" /%} {% form id="order" %}{% input name="note" /%}{% /form %}';

/** A group of alice and bob with alice's bot, which handles presses, and its message with buttons. */
async function handled(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  await bot.api.setBotConfig({ username: bot.username, handles_actions: true });
  const { id: message_id } = await bot.api.sendMessage({ chat_id, text });
  const press = (who: Actor, action: string, fields?: Record<string, unknown>) =>
    who.api.sendComponentAction({ chat_id, message_id, action, ...(fields && { fields }) });
  const count = async () => (await alice.api.getChatHistory({ chat_id })).items.length;
  return { alice, bob, bot, chat_id, message_id, press, count };
}

const withClock = () => ({ clock: new ManualClock() }) satisfies WorldOptions;
const presses = async (world: World, socket: Awaited<ReturnType<Actor['socket']>>) => {
  await world.settle();
  return socket.frames.flatMap(({ method, params }) => (method === 'events.componentAction' ? [params] : []));
};

/** The presses that a daemon receives which connects now and has seen the log up to `since`. */
async function missedBy(bot: Actor, since: number): Promise<Record<string, unknown>[]> {
  const socket = await bot.socket('ext');
  const { frames } = (await socket.rpc('getUpdates', { since })) as Result<'getUpdates'>; // as declared
  await socket.close();
  return frames.flatMap(({ method, params }) => (method === 'events.componentAction' ? [params] : []));
}

test('ACTION-12: a press goes to the bot alone, with the submitted values, and the service posts nothing', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, message_id, press, count } = await handled(world);
  const [ofBot, plain, ofBob, ofOwner] = [
    await bot.socket('ext'),
    await bot.socket(),
    await bob.socket('ext'),
    await alice.socket('ext'),
  ];
  await press(bob, 'form_submit:order', { note: 'two', password: 'hunter2' });
  await press(bob, 'cancel:it');
  const place = { conversation_id: chat_id, channel_id: null, thread_root_id: null, message_id };
  const from = { username: 'bob', kind: 'human', display_name: 'bob' };
  const found = await presses(world, ofBot);
  expect(found).toEqual([
    {
      action_id: expect.any(String),
      ...place,
      action: 'form_submit:order',
      fields: { note: 'two', password: 'hunter2' },
      from,
    },
    { action_id: expect.any(String), ...place, action: 'cancel:it', from },
  ]);
  expect(found[0]?.['action_id']).not.toBe(found[1]?.['action_id']);
  expect([...plain.frames, ...ofBob.frames, ...ofOwner.frames]).toEqual([]);
  expect(await count()).toBe(1);
});

test('ACTION-12, ACTION-6: simultaneous and repeated clicks are one press; after 10 s it is another one', async () => {
  const options = withClock();
  await using world = await createWorld(options);
  const { bob, bot, press } = await handled(world);
  const ofBot = await bot.socket('ext');
  await Promise.all([press(bob, 'buy'), press(bob, 'buy'), press(bob, 'buy')]);
  await press(bob, 'buy');
  expect(await presses(world, ofBot)).toHaveLength(1);
  await options.clock.advance(10_001);
  await press(bob, 'buy');
  expect(await presses(world, ofBot)).toHaveLength(2);
});

test('ACTION-12: what the message does not offer is refused, and without handles_actions the service confirms again', async () => {
  await using world = await createWorld();
  const { bob, bot, press, count } = await handled(world);
  const ofBot = await bot.socket('ext');
  expect(await failure(press(bob, 'sell'))).toMatchObject({ status: 400 });
  await bot.api.setBotConfig({ username: bot.username, handles_actions: false });
  await press(bob, 'buy');
  expect(await presses(world, ofBot)).toEqual([]);
  expect(await count()).toBe(2);
});

test('ACTION-13: after a crash a bot that reconnects receives each press of the last 60 s once', async () => {
  const options = withClock();
  await using world = await createWorld(options);
  const { bob, bot, press } = await handled(world);
  const { head } = (await bot.socket('ext')).hello;
  await press(bob, 'buy');
  await options.clock.advance(40_000);
  await press(bob, 'cancel:it');
  await world.crash();
  const missed = async () => (await missedBy(bot, head)).map(({ action }) => action);
  expect(await missed()).toEqual(['buy', 'cancel:it']);
  await options.clock.advance(40_000);
  expect(await missed()).toEqual(['cancel:it']);
  await options.clock.advance(40_000);
  expect(await missed()).toEqual([]);
});

test('ACTION-13: a bot that has left the conversation does not receive presses that it has missed', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, press } = await handled(world);
  const { head } = (await bot.socket('ext')).hello;
  await press(bob, 'form_submit:order', { note: 'private' });
  expect(await missedBy(bot, head)).toHaveLength(1);
  await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  expect(await missedBy(bot, head)).toEqual([]);
  expect(await failure(press(bob, 'buy'))).toMatchObject({ status: 404 });
});

test('ACTION-14: a removed member cannot press; the press of a person whom the owner has blocked is not sent', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, press } = await handled(world);
  const ofBot = await bot.socket('ext');
  await alice.api.blockUser({ username: 'bob' });
  expect(await press(bob, 'buy')).toBeUndefined();
  await alice.api.unblockUser({ username: 'bob' });
  await alice.api.removeMember({ chat_id, username: 'bob' });
  expect(await failure(press(bob, 'cancel:it'))).toMatchObject({ status: 403 });
  expect(await presses(world, ofBot)).toEqual([]);
});

test('BOTCONF-20: the owner and the bot itself set handles_actions, the bot nothing else; only bots have it', async () => {
  await using world = await createWorld();
  const { alice, bob, bot } = await handled(world);
  const { username } = bot;
  const shown = async (who: Actor) => (await who.api.getMyBotConfig({ username })).handles_actions;
  expect([await shown(alice), await shown(bob), await shown(bot)]).toEqual([true, undefined, undefined]);
  await alice.api.setBotConfig({ username, handles_actions: false });
  expect(await shown(alice)).toBe(false);
  for (const more of [{ is_public: true }, { secrets: {} }, { config: {} }])
    expect(await failure(bot.api.setBotConfig({ username, handles_actions: true, ...more }))).toMatchObject({
      status: 403,
    });
  expect(await failure(bot.api.setBotConfig({ username }))).toMatchObject({ status: 403 });
  const other = await world.bot(alice, 'other');
  expect(await failure(bot.api.setBotConfig({ username: other.username, handles_actions: true }))).toMatchObject({
    status: 404,
  });
  expect(await failure(bob.api.setBotConfig({ username, handles_actions: true }))).toMatchObject({ status: 403 });
  const provider = { username: 'alice:provider_a', handles_actions: true };
  expect(await failure(alice.api.setBotConfig(provider))).toMatchObject({ status: 400 });
  expect(await shown(alice)).toBe(false);
});
