import { type OperationName, operationNames } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, type World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { expect, test } from 'vitest';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { directScenes, everyOperation, overSockets } from '../helpers/every-operation.ts';
import { asked, refused, scene, yesNo } from './scene.ts';

/** A word that is in the text of private messages only. */
const CANARY = 'quokka';

/** Notes everything that the service sends to each actor. */
function watch(world: World): (actor: Actor, ...words: string[]) => string[] {
  const received: { by: string; text: string }[] = [];
  world.watcher = { begin: () => 0, read: ({ username: by }, text) => void received.push({ by, text }) };
  return ({ username }, ...words) =>
    received.flatMap(({ by, text }) => (by === username && words.some((word) => text.includes(word)) ? [text] : []));
}

test('DECIDE-9: a private decision exists for its deciders and its asker alone, live, loaded and replayed', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat, chat_id, ask, needs, inbox, rowOf } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const seen = watch(world);
  const before = await rowOf(cleo);
  const late = await cleo.follower('ext').load();
  const sockets = [await cleo.socket('ext'), await cleo.socket(), await ann.socket('ext')];
  const ours = [await ben.socket('ext'), await bot.socket('ext')];
  await checkReplay(world, [ann, ben, cleo], async () => {
    const { message_id, decision_id } = await ask(
      { text: `Give ${CANARY} to @cleo and @ben?`, deciders: ['ben'], private: true, reply_to_message_id: undefined },
      bot,
    );
    expect((await ben.api.getMessages({ message_ids: [message_id] })).items[0]).toMatchObject({
      mentions: ['ben'],
      decision: { private: true, deciders: ['ben'] },
    });
    expect([await needs(ben), await inbox(ben)]).toEqual([1, [message_id]]);
    await ben.api.setMessageReaction({ message_id, emoji: '👍' });
    await bot.api.setMessageReaction({ message_id, emoji: '👍' });
    await ben.api.setMessageReaction({ message_id, emoji: '👍' });
    await ben.api.decide({ decision_id, option: 'yes' });
    const second = await ask({ text: CANARY, deciders: ['ben'], private: true }, bot);
    await bot.api.withdrawDecision({ decision_id: second.decision_id });
    await bot.api.deleteMessages({ message_ids: [second.message_id] });
  });
  await world.settle();
  for (const socket of sockets) expect(socket.methods).toEqual([]);
  for (const socket of ours)
    expect(socket.methods.filter((method) => !/reaction|conversation|inbox/.test(method))).toEqual([
      'messageNew',
      'messageUpdated',
      'decisionUpdated',
      'messageNew',
      'messageUpdated',
      'decisionUpdated',
      'messageDeleted',
    ]);
  expect(await rowOf(cleo)).toEqual(before);
  expect((await cleo.api.getChat({ chat_id })).unread_count).toBe(0);
  expect((await ben.api.getChat({ chat_id })).unread_count).toBe(1);
  const dora = await world.person('dora');
  await ann.api.addMembers({ chat_id, usernames: ['dora'] });
  const list = await dora.api.getChatHistory({ chat_id });
  expect(list.items.filter(({ service }) => !service)).toEqual([]);
  expect((await ben.api.getChatHistory({ chat_id })).items).toHaveLength(1);
  await late.connect();
  await world.settle();
  await late.compare();
  await late.drop();
  for (const outsider of [ann, cleo, dora]) expect(seen(outsider, CANARY)).toEqual([]);
  // Whoever leaves is no reader any more, also of what was sent before.
  const position = (await ben.api.getUpdates({ since: 0 })).head;
  const third = await ask({ text: CANARY, deciders: ['ben'], private: true }, bot);
  await ann.api.removeMember({ chat_id, username: 'ben' });
  const { frames } = await ben.api.getUpdates({ since: position });
  expect(JSON.stringify(frames)).not.toContain(third.message_id);
  await expect(ben.api.decide({ decision_id: third.decision_id, option: 'yes' })).rejects.toMatchObject(refused(404));
});

test(
  'DECIDE-9: no operation tells an outsider of a private decision, whatever it names',
  { timeout: 300_000 },
  async () => {
    await using world = await createWorld();
    const newScene = await directScenes(world);
    const told = await newScene();
    const { owner, admin, member, keeper, stranger, bot } = told.actors;
    const { chatId: chat_id, channelId: channel_id } = told;
    const root = await owner.api.sendMessage({ chat_id, text: 'a root' });
    const seen = watch(world);
    const ids: string[] = [];
    for (const place of [{}, { channel_id }, { thread_root_id: root.id }, { reply_to_message_id: root.id }]) {
      const text = `${CANARY} https://example.test/${CANARY}`;
      const deciders = [keeper.username];
      const ask = { chat_id, text, options: yesNo, deciders, private: true, ...place };
      const { message_id } = asked(await member.api.askDecision(ask));
      await keeper.api.setMessageReaction({ message_id, emoji: CANARY });
      ids.push(message_id);
    }
    await keeper.api.decide({ decision_id: ids[0] ?? '', option: 'yes' });
    const [messageId = ''] = ids;
    const hidden = { messageId, decisionId: messageId, pollId: messageId, componentId: messageId, streamId: messageId };
    const outsiders = [owner, admin, bot, stranger];
    const read = async (actor: Actor) => {
      for (const place of [{}, { channel_id }, { thread_root_id: root.id }])
        await failure(actor.api.getChatHistory({ chat_id, ...place }));
      for (const kind of ['media', 'files', 'links'] as const) await failure(actor.api.getChatMedia({ chat_id, kind }));
      await actor.api.searchMessages({ query: CANARY });
      await failure(actor.api.getInbox({}));
      await actor.api.getDecisions({});
      await actor.api.getUpdates({ since: 0 });
      await actor.api.getMessages({ message_ids: ids });
      await actor.api.getChats({});
    };
    for (const actor of outsiders) await read(actor);
    const thread = (await owner.api.getMessages({ message_ids: [root.id] })).items[0]?.thread;
    expect(thread).toBeUndefined();
    // Newer messages, with which the private ones would be counted.
    const { unread_count } = await admin.api.getChat({ chat_id });
    for (const place of [{}, { channel_id }, { thread_root_id: root.id }])
      await owner.api.sendMessage({ chat_id, text: 'public', ...place });
    expect(await admin.api.getChat({ chat_id })).toMatchObject({ unread_count: unread_count + 3 });
    expect((await keeper.api.getChat({ chat_id })).unread_count).toBeGreaterThan(unread_count + 3);
    const ending = new Set<OperationName>(['deleteAccount', 'leaveChat', 'signOut', 'terminateOtherSessions']);
    for (const actor of outsiders)
      for (const name of operationNames) {
        if (!overSockets(name) || ending.has(name)) continue;
        const params = everyOperation[name].params({ ...told, ...hidden });
        const call = (actor.api as unknown as Record<string, (given: object) => Promise<unknown>>)[name];
        await failure(call?.(params) ?? Promise.resolve());
      }
    // What the operations above have changed.
    await owner.api.setChatPosting({ chat_id, posting: 'everyone' });
    // Calls that name it are answered as for a message that does not exist.
    for (const call of [
      () => owner.api.sendMessage({ chat_id, text: 'x', reply_to_message_id: messageId }),
      () => owner.api.sendMessage({ chat_id, text: 'x', thread_root_id: messageId }),
      () => owner.api.pinMessage({ chat_id, message_id: messageId }),
      () => owner.api.markRead({ chat_id, message_id: messageId }),
      () => owner.api.setMessageReaction({ message_id: messageId, emoji: '👍' }),
      () => owner.api.getChatHistory({ chat_id, around: messageId }),
      () => owner.api.withdrawDecision({ decision_id: messageId }),
      () => owner.api.decide({ decision_id: messageId, option: 'yes' }),
      () => owner.api.remindMe({ message_id: messageId, remind_at: new Date(Date.now() + 3_600_000).toISOString() }),
    ])
      await expect(call()).rejects.toMatchObject(refused(404));
    expect(await owner.api.deleteMessages({ message_ids: ids })).toEqual({ ids: [] });
    for (const actor of outsiders) expect(seen(actor, CANARY, ...ids), actor.username).toEqual([]);
    expect(seen(keeper, CANARY).length).toBeGreaterThan(0);
    // Its readers refer to it nowhere that others see.
    for (const call of [
      () => keeper.api.sendMessage({ chat_id, text: 'x', reply_to_message_id: messageId }),
      () => keeper.api.sendMessage({ chat_id, text: 'x', thread_root_id: messageId }),
    ])
      await expect(call()).rejects.toMatchObject(refused(403));
    const copies = await keeper.api.forwardMessages({ message_ids: ids, to_chat_id: chat_id });
    expect(copies).toEqual({ items: [] });
  },
);

test('DECIDE-9, READ-12: receipts tell of no private message, and its readers are none for whom it does not exist', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, chat_id, ask } = await scene(world);
  const first = await ann.api.sendMessage({ chat_id, text: 'for all' });
  const socket = await cleo.socket('ext');
  const { message_id } = await ask({ text: CANARY, deciders: ['ben'], private: true });
  const position = async (actor: Actor) => (await actor.api.getReadPosition({ chat_id })).position;
  const readers = async () => (await ann.api.getMessageReaders({ message_id })).items.map(({ username }) => username);
  await ben.api.markRead({ chat_id, message_id });
  await world.settle();
  expect([await position(cleo), await position(ann)]).toEqual([first.position, first.position]);
  expect(socket.all('messagesRead')).toEqual([{ conversation_id: chat_id, position: first.position }]);
  const last = await ann.api.sendMessage({ chat_id, text: 'for all again' });
  for (const actor of [ben, cleo]) await actor.api.markRead({ chat_id, message_id: last.id });
  expect(await position(ann)).toBe(last.position);
  expect(await readers()).toEqual(['ben']);
  expect(await ann.api.getMessageReaders({ message_id })).toMatchObject({ count: 1 });
});

test('DECIDE-12: no model receives a private decision, in no request and no summary', async () => {
  await using world = await createWorld();
  const { ann, chat_id, ask } = await scene(world);
  const agent = await keyedAgent(world, ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: agent.username });
  await ask({ text: CANARY, deciders: ['ben'], private: true });
  await ask({ text: 'the public one' });
  const steered = agent.steer();
  await ann.api.sendMessage({ chat_id, text: `@${agent.username} what now?` });
  const request = JSON.stringify((await steered.started).body);
  steered.end();
  await world.turnsEnded();
  expect(request).toContain('the public one');
  expect(request).not.toContain(CANARY);
});
