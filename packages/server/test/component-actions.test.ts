import type { Message } from '@parley/protocol';
import {
  type Actor,
  checkReplay,
  createWorld,
  ManualClock,
  unknownId,
  type World,
  type WorldOptions,
} from '@parley/testing';
import { expect, test } from 'vitest';

/** A group of alice and bob with alice's bot, and a message of the bot that shows a component. */
async function component(world: World) {
  const { alice, bob } = await world.people('alice', 'bob');
  const bot = await world.bot(alice);
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username, always_on: true });
  const shown = await bot.api.sendMessage({ chat_id, text: '{% button action="trade:buy:ACME:10" /%}' });
  const press = (who: Actor, action: string, fields?: Record<string, unknown>) =>
    who.api.sendComponentAction({ chat_id, message_id: shown.id, action, ...(fields && { fields }) });
  const history = async (where: { thread_root_id?: string; channel_id?: string } = {}): Promise<Message[]> =>
    (await alice.api.getChatHistory({ chat_id, ...where })).items;
  return { alice, bob, bot, chat_id, shown, press, history };
}

const withClock = () => ({ clock: new ManualClock() }) satisfies WorldOptions;

test('ACTION-5: the confirmation is a message of the authoring agent, in reply to the component', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, shown, press, history } = await component(world);
  const socket = await alice.socket('nodrafts');
  expect(await checkReplay(world, [alice, bob, bot], () => press(bob, 'trade:buy:ACME:10'))).toBeUndefined();
  const confirmation = await socket.event('messageNew');
  expect(confirmation).toMatchObject({
    conversation_id: chat_id,
    channel_id: null,
    thread_root_id: null,
    sender: { username: bot.username, kind: 'agent' },
    content: '{% card title="Buy order placed" body="10 ACME" by="bob" /%}',
    reply_to_id: shown.id,
    mentions: [],
    dispatch: [],
    status: 'complete',
    content_revision: 1,
  });
  expect(await history()).toEqual([shown, confirmation]);
});

test('ACTION-5: it fires nobody and mentions nobody, whatever the token says', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, press, history } = await component(world);
  await alice.api.addGroupAgent({ chat_id, agent_username: 'alice:provider_a', always_on: true });
  const evil = '" /%} @alice @alice:provider_a {% card title="';
  await press(bob, `form_submit:${evil}`, { [evil]: evil });
  await world.turnsEnded();
  const items = await history();
  expect(items).toHaveLength(2);
  expect(items[1]).toMatchObject({ mentions: [], dispatch: [] });
  expect(items[1]?.content).toMatch(/^\{% card title="Form submitted" form="[^{}]*" body="[^{}]*" by="bob" \/%\}$/);
});

test('ACTION-5: it stays in the timeline of the component', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, history } = await component(world);
  const channel = await alice.api.createChannel({ chat_id, title: 'orders' });
  const root = await alice.api.sendMessage({ chat_id, text: 'root', channel_id: channel.id });
  const where = { channel_id: channel.id, thread_root_id: root.id };
  const inThread = await bot.api.sendMessage({ chat_id, text: 'press', ...where });
  await bob.api.sendComponentAction({ chat_id, message_id: inThread.id, action: 'modify:limit' });
  expect(await history(where)).toMatchObject([{ id: inThread.id }, { reply_to_id: inThread.id, ...where }]);
  expect(await history({ channel_id: channel.id })).toMatchObject([{ id: root.id, thread: { count: 2 } }]);
  expect(await history()).toHaveLength(1);
});

test('ACTION-2: cancel and dismiss post nothing', async () => {
  await using world = await createWorld();
  const { alice, bob, press, history } = await component(world);
  const socket = await alice.socket();
  expect(await press(bob, 'cancel:order')).toBeUndefined();
  expect(await press(bob, 'dismiss:all')).toBeUndefined();
  await world.settle();
  expect(socket.frames).toEqual([]);
  expect(await history()).toHaveLength(1);
});

test('ACTION-3: a token that nobody knows is acknowledged by the agent', async () => {
  await using world = await createWorld();
  const { bob, bot, shown, press, history } = await component(world);
  await press(bob, 'vote:yes');
  expect((await history())[1]).toMatchObject({
    content: 'Got it.',
    sender: { username: bot.username },
    reply_to_id: shown.id,
  });
});

test('ACTION-6: the same action by the same account on the same message within 10 s posts nothing more', async () => {
  const options = withClock();
  await using world = await createWorld(options);
  const { alice, bob, bot, chat_id, press, history } = await component(world);
  const count = async () => (await history()).filter(({ reply_to_id }) => reply_to_id !== null).length;
  await Promise.all([press(bob, 'trade:buy:ACME:10'), press(bob, 'trade:buy:ACME:10')]);
  const socket = await bob.socket();
  await socket.rpc('sendComponentAction', {
    chat_id,
    message_id: (await history())[0]?.id,
    action: 'trade:buy:ACME:10',
  });
  expect(await count()).toBe(1);
  await press(bob, 'trade:buy:ACME:11');
  await press(alice, 'trade:buy:ACME:10');
  expect(await count()).toBe(3);
  const again = await bot.api.sendMessage({ chat_id, text: 'another' });
  await bob.api.sendComponentAction({ chat_id, message_id: again.id, action: 'trade:buy:ACME:10' });
  expect(await count()).toBe(4);
  await options.clock.advance(9_999);
  await press(bob, 'trade:buy:ACME:10');
  expect(await count()).toBe(4);
  await options.clock.advance(1);
  await press(bob, 'trade:buy:ACME:10');
  expect(await count()).toBe(5);
});

test('ACTION-6: what is remembered of presses does not grow', async () => {
  const options = withClock();
  await using world = await createWorld(options);
  const { bob, press } = await component(world);
  for (let n = 1; n <= 5; n += 1) await press(bob, `vote:${n}`);
  await options.clock.advance(10_000);
  await press(bob, 'vote:6');
  const known = await world.sql('SELECT action FROM component_actions');
  expect(known).toEqual([{ action: 'vote:6' }]);
});

test('ACTION-7: the conversation (404), the caller in it (403), a message of it (404), of an agent (400)', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, shown } = await component(world);
  const { carol } = await world.people('carol');
  const press = (who: Actor, message_id: string, chat = chat_id) =>
    who.api.sendComponentAction({ chat_id: chat, message_id, action: 'vote:yes' });
  await expect(press(bob, shown.id, unknownId)).rejects.toMatchObject({
    status: 404,
    description: 'not found: conversation',
  });
  await expect(press(carol, shown.id)).rejects.toMatchObject({ status: 403 });
  const noMessage = { status: 404, description: 'not found: message' };
  await expect(press(bob, unknownId)).rejects.toMatchObject(noMessage);
  const direct = await world.direct(alice, bot);
  const foreign = await bot.api.sendMessage({ chat_id: direct.id, text: 'elsewhere' });
  await expect(press(alice, foreign.id)).rejects.toMatchObject(noMessage);
  const human = await alice.api.sendMessage({ chat_id, text: 'mine' });
  await expect(press(bob, human.id)).rejects.toMatchObject({ status: 400, parameters: { field: 'message_id' } });
  await alice.api.deleteMessages({ message_ids: [shown.id] });
  await expect(press(bob, shown.id)).rejects.toMatchObject(noMessage);
});

test('ACTION-8: an agent that is no longer there confirms nothing (404), and what is swallowed stays silent', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, press, history } = await component(world);
  const direct = await world.direct(alice, bot);
  const shown = await bot.api.sendMessage({ chat_id: direct.id, text: 'press' });
  await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  const gone = { status: 404, description: 'not found: agent' };
  await expect(press(bob, 'vote:yes')).rejects.toMatchObject(gone);
  await press(bob, 'dismiss:x');
  expect(await history()).toHaveLength(1);
  await alice.api.deleteBot({ username: bot.username });
  const late = alice.api.sendComponentAction({ chat_id: direct.id, message_id: shown.id, action: 'vote:yes' });
  await expect(late).rejects.toMatchObject(gone);
});

test('ACTION-9: a token has 1 to 256 bytes; fields are an object of 64 KiB, 32 levels deep', async () => {
  await using world = await createWorld();
  const { bob, chat_id, shown } = await component(world);
  const socket = await bob.socket();
  const press = (change: object) =>
    socket.rpc('sendComponentAction', { chat_id, message_id: shown.id, action: 'dismiss:', ...change });
  const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
  await press({ action: 'ä'.repeat(128), fields: null });
  await press({ fields: { note: 'x'.repeat(65_000), ...nested(30) } });
  for (const action of ['', 'x'.repeat(257), 5, undefined])
    await expect(press({ action })).rejects.toMatchObject({ status: 400, parameters: { field: 'action' } });
  for (const fields of ['text', ['list'], nested(40), { a: '\ud800' }])
    await expect(press({ fields })).rejects.toMatchObject({ status: 400, parameters: { field: 'fields' } });
  const large = { status: 413, code: 'too_large', parameters: { field: 'fields' } };
  await expect(press({ fields: { note: 'ä'.repeat(32 * 1_024) } })).rejects.toMatchObject(large);
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const response = await fetch(`${world.url}/api/sendComponentAction`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json' },
    body: `{"chat_id":"${chat_id}","message_id":"${shown.id}","action":"dismiss:","fields":${deep}}`,
  });
  expect([response.status, await response.json()]).toMatchObject([400, { parameters: { field: 'fields' } }]);
});
