import { checkReplay, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { keyedAgent } from '../helpers/agents.ts';
import { closed, messageOf, scene } from '../helpers/stream-stage.ts';
import { booked, Calendar, usageStage } from './usage-stage.ts';

const capped = { status: 'failed', finish_reason: 'token_cap', content: expect.stringMatching(/tokens/) };
const usage = { input: 60, output: 40 };

test('USAGE-11: only the owner can set, remove and see the token cap', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const username = 'alice:provider_a';
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: username });
  const capOf = async () => (await alice.api.getMyBotConfig({ username })).monthly_token_cap;
  expect(await capOf()).toBeNull();
  for (const monthly_token_cap of [0, 5_000_000, Number.MAX_SAFE_INTEGER])
    expect(await alice.api.setBotConfig({ username, monthly_token_cap })).toMatchObject({ monthly_token_cap });
  // The cap stays when other settings are changed.
  await alice.api.setBotConfig({ username, config: { model: 'm' }, is_public: true, show_on_profile: ['model'] });
  expect(await capOf()).toBe(Number.MAX_SAFE_INTEGER);
  expect(await bob.api.getMyBotConfig({ username })).not.toHaveProperty('monthly_token_cap');
  expect(await bob.api.setMyBotConfig({ username, config: {} })).not.toHaveProperty('monthly_token_cap');
  await expect(bob.api.setBotConfig({ username, monthly_token_cap: 1 })).rejects.toMatchObject({ status: 403 });
  for (const wrong of [-1, 1.5, 2 ** 53])
    await expect(alice.api.setBotConfig({ username, monthly_token_cap: wrong })).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'monthly_token_cap' },
    });
  expect(await alice.api.setBotConfig({ username, monthly_token_cap: null })).toMatchObject({
    monthly_token_cap: null,
    owner_config: { model: 'm' },
    show_on_profile: ['model'],
  });
  const guide = { username: 'parley:guide', monthly_token_cap: 1 };
  await alice.api.startChat({ username: guide.username });
  await expect(alice.api.setBotConfig(guide)).rejects.toMatchObject({ status: 403 });
});

test('USAGE-12: an agent at its cap says so in its reply and calls no provider, and the asker gets an alert', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  await alice.api.setBotConfig({ username: agent.username, monthly_token_cap: 100 });
  const [owners, askers] = [await alice.socket(), await bob.socket()];
  const ask = async () => {
    await bob.api.sendMessage({ chat_id, text: `@${agent.username} hello` });
    await world.turnsEnded();
    return (await bob.api.getChatHistory({ chat_id })).items.at(-1);
  };
  await checkReplay(world, [alice, bob], async () => {
    expect(await ask()).toMatchObject({ status: 'complete' });
    const { length } = askers.frames;
    const refused = await ask();
    expect(refused).toMatchObject(capped);
    expect(refused).not.toHaveProperty('usage');
    // Only the owner may see the cap itself.
    expect(refused?.content).not.toMatch(/100/);
    await askers.event('alert');
    await world.settle();
    const order = askers.frames.slice(length).map(({ method, params }) => [method, params['is_typing']]);
    expect(order).toEqual([
      ['events.messageNew', undefined],
      ['events.messageNew', undefined],
      ['events.typing', true],
      ['events.messageDelta', undefined],
      ['events.messageComplete', undefined],
      ['events.alert', undefined],
      ['events.typing', false],
    ]);
  });
  expect(askers.all('alert')).toMatchObject([{ level: 'error', text: expect.stringMatching(/tokens/) }]);
  // The owner was warned when the budget was nearly used up (BUDGET-5).
  expect(owners.all('alert').filter(({ level }) => level === 'error')).toEqual([]);
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
  expect(await booked(alice)).toEqual([`${agent.username} bob 60 40 1`]);
});

test('USAGE-13: a reply that starts below the cap may exceed it; a changed cap applies from the next turn', async () => {
  await using world = await createWorld();
  const { alice, agent, ask, send, lastReply } = await usageStage(world);
  const username = agent.username;
  const cap = (monthly_token_cap: number | null) => alice.api.setBotConfig({ username, monthly_token_cap });
  await cap(1);
  const running = world.providers.steer(agent.key, usage);
  await send();
  await running.started;
  await cap(0);
  running.text('already begun');
  running.end();
  await world.turnsEnded();
  expect(await lastReply()).toMatchObject({ status: 'complete', content: 'already begun' });
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  expect(await ask()).toMatchObject(capped);
  await cap(101);
  expect(await ask()).toMatchObject({ status: 'complete' });
  expect(await ask()).toMatchObject(capped);
  await cap(null);
  expect(await ask()).toMatchObject({ status: 'complete' });
  await cap(300);
  expect(await ask()).toMatchObject(capped);
});

test('USAGE-13: an agent at its cap reports the cap, even if it has no key', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const username = 'alice:provider_b';
  const { id: chat_id } = await alice.api.startChat({ username });
  await alice.api.setBotConfig({ username, monthly_token_cap: 0 });
  await alice.api.sendMessage({ chat_id, text: '?' });
  await world.turnsEnded();
  expect((await alice.api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject(capped);
});

test('USAGE-13: usage counts per UTC month, for all askers together, also after a restart', async () => {
  const clock = new Calendar(Date.UTC(2026, 1, 28, 23, 0));
  await using world = await createWorld({ clock });
  const { alice, agent, ask } = await usageStage(world);
  world.providers.script(agent.key, { chunks: ['ok'], usage });
  await alice.api.setBotConfig({ username: agent.username, monthly_token_cap: 150 });
  for (const outcome of [{ status: 'complete' }, { status: 'complete' }, capped])
    expect(await ask()).toMatchObject(outcome);
  await world.restart();
  expect(await ask()).toMatchObject(capped);
  clock.skip(59 * 60_000 + 59_000);
  expect(await ask()).toMatchObject(capped);
  clock.skip(1_000);
  expect(await ask()).toMatchObject({ status: 'complete' });
  expect(await booked(alice)).toEqual([`${agent.username} alice 60 40 1`]);
});

test('USAGE-14: at its bot’s cap a daemon’s stream ends as it starts; usage that daemons report counts', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, reply } = await scene(world);
  await alice.api.setBotConfig({ username: bot.username, monthly_token_cap: 100 });
  await bot.api.finishMessageStream({
    message_id: reply.id,
    text: 'dear',
    usage: { input_tokens: 60, output_tokens: 40 },
  });
  const socket = await bob.socket();
  await checkReplay(world, [alice, bob], async () => {
    const asked = await bob.api.sendMessage({ chat_id, text: `@${bot.username} hello` });
    const start = { chat_id, reply_to_message_id: asked.id, client_msg_id: `re:${asked.id}` };
    const refused = await bot.api.startMessageStream(start);
    expect(refused).toMatchObject(capped);
    const { id } = refused;
    expect(await bot.api.startMessageStream(start)).toMatchObject({ ...capped, id, resumed: true });
    const more = { message_id: id, delta: 'x', offset: 1 };
    await expect(bot.api.appendMessageStream(more)).rejects.toMatchObject(closed);
    await expect(bot.api.finishMessageStream({ message_id: id })).rejects.toMatchObject(closed);
    expect(await messageOf(bob, id)).toMatchObject(capped);
  });
  expect(await socket.event('alert')).toMatchObject({ level: 'error', from: { username: bot.username } });
  await alice.api.setBotConfig({ username: bot.username, monthly_token_cap: null });
  expect(await bot.api.startMessageStream({ chat_id })).toMatchObject({ status: 'streaming' });
});
