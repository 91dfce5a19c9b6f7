import { type Actor, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { setRole } from '../helpers/every-operation.ts';

/** A group of an owner of the service, carol and dave, in which carol's agent answers both on her key. */
async function scene(world: World) {
  const people = await world.people('olga', 'carol', 'dave');
  const { olga, carol, dave } = people;
  await setRole(world, 'olga', 'owner');
  const chat = await world.group(olga, carol, dave);
  const chat_id = chat.id;
  const agent = await keyedAgent(world, carol);
  await carol.api.addGroupAgent({ chat_id, agent_username: agent.username });
  await carol.api.setBotConfig({ username: agent.username, asker_daily_tokens: 1_000_000 });
  const reader = await olga.socket();
  const ask = (by: Actor, text = '?') => by.api.sendMessage({ chat_id, text: `@${agent.username} ${text}` });
  /** A reply that has some text. */
  const fire = async (by: Actor) => {
    const steered = agent.steer();
    const { id: askedId } = await ask(by);
    const { id } = await reader.event('messageNew', ({ reply_to_id }) => reply_to_id === askedId);
    await steered.started;
    steered.text('some text');
    await reader.event('messageDelta', (delta) => delta.id === id);
    return { id, steered };
  };
  const endOf = (messageId: string) => reader.event('messageComplete', ({ id }) => id === messageId);
  const disable = (username: string, disabled = true) => olga.api.setAccountDisabled({ username, disabled });
  return { ...people, chat, chat_id, agent, ask, fire, endOf, disable };
}

test('ROLE-10: the agents of a disabled person stop, are fired by nobody, and answer again when it is enabled', async () => {
  await using world = await createWorld();
  const { chat, chat_id, carol, dave, agent, ask, fire, endOf, disable } = await scene(world);
  const bot = await botIn(world, carol, chat);
  const { id: streamId } = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id: streamId, delta: 'half', offset: 4 });
  const running = await fire(dave);
  const { id: message_id } = await bot.api.sendMessage({ chat_id, text: '{% button action="modify:limit" /%}' });
  const press = () => dave.api.sendComponentAction({ chat_id, message_id, action: 'modify:limit' });
  await press();
  await disable('carol');
  expect(await failure(press())).toMatchObject({ status: 404 });
  await running.steered.aborted;
  expect(await endOf(running.id)).toMatchObject({ status: 'cancelled', content: 'some text' });
  expect(await endOf(streamId)).toMatchObject({ status: 'cancelled', content: 'half' });

  expect((await ask(dave)).dispatch).toEqual([]);
  expect((await dave.api.sendMessage({ chat_id, text: `@${bot.username} ?` })).dispatch).toEqual([]);
  expect((await dave.api.previewDispatch({ chat_id, text: `@${agent.username} ?` })).agents).toEqual([]);
  expect(await failure(dave.api.retryReply({ message_id: running.id }))).toMatchObject({ status: 409 });

  await disable('carol', false);
  const { id, steered } = await fire(dave);
  steered.end();
  expect(await endOf(id)).toMatchObject({ status: 'complete' });
});

test('ROLE-10: what a disabled person’s messages have fired ends, running or queued', async () => {
  await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
  const { dave, agent, ask, fire, endOf, disable } = await scene(world);
  const { id, steered } = await fire(dave);
  expect((await ask(dave, 'later')).dispatch).toHaveLength(1);
  await disable('dave');
  await steered.aborted;
  expect(await endOf(id)).toMatchObject({ status: 'cancelled', content: 'some text' });
  await world.turnsEnded();
  expect(await world.sql("SELECT key FROM turns WHERE state IN ('queued', 'streaming', 'waiting')")).toEqual([]);
  expect(world.providers.requestsOf(agent.key)).toHaveLength(1);
});
