import { type Actor, checkReplay, createWorld, unknownId } from '@parley/testing';
import { withPushes } from '@parley/testing/push/push-stage.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from '../helpers/agents.ts';
import { historyOf, missing, scene, textsOf } from '../helpers/message-stage.ts';
import * as streams from '../helpers/stream-stage.ts';

const forbidden = { status: 403, code: 'forbidden' };
const edit = (actor: Actor, message_id: string, text: string) => actor.api.editMessage({ message_id, text });

test('EDIT-1, EDIT-5: an edit replaces the text of a message, and sockets with ext are notified', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id, both } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const sent = await alice.api.sendMessage({
    chat_id,
    text: `@bob ask @${bot.username}`,
    attachments: [{ kind: 'photo', name: 'a picture' }],
    client_msg_id: 'mine',
  });
  await bob.api.setMessageReaction({ message_id: sent.id, emoji: '👍' });
  await bob.api.sendMessage({ chat_id, text: 'in the thread', thread_root_id: sent.id });
  const [before] = (await alice.api.getMessages({ message_ids: [sent.id] })).items;
  const { updated_at } = await alice.api.getChat({ chat_id });
  const [ext, plain, outside] = [await bob.socket('ext'), await bob.socket(), await stranger.socket('ext')];
  const edited = await checkReplay(world, both, () => edit(alice, sent.id, 'ask @alice'));
  expect(edited).toEqual({
    ...before,
    content: 'ask @alice',
    mentions: ['alice'],
    content_revision: 2,
    edited_at: expect.any(String),
  });
  expect(edited.dispatch).toEqual([bot.username]);
  expect([ext, plain, outside].map((socket) => socket.all('messageUpdated'))).toEqual([[edited], [], []]);
  expect([plain.frames, outside.frames]).toEqual([[], []]);
  expect((await alice.api.getChat({ chat_id })).updated_at).toBe(updated_at);
  const again = await checkReplay(world, both, () => edit(alice, sent.id, 'once more'));
  expect(again).toMatchObject({ content_revision: 3, mentions: [] });
  await world.crash();
  expect((await bob.api.getMessages({ message_ids: [sent.id] })).items).toEqual([again]);
});

test('EDIT-2: only the sender may edit a message, while it takes part; a deleted message is 404', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'passing' });
  const send = async (actor: Actor, more: object = {}) =>
    (await actor.api.sendMessage({ chat_id, text: 'said', ...more })).id;
  const [ofAlice, ofBot, ofBob] = [await send(alice), await send(bot), await send(bob)];
  const [deleted, inChannel] = [await send(bob), await send(bob, { channel_id })];
  await bob.api.deleteMessages({ message_ids: [deleted] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  for (const id of [unknownId, deleted, inChannel])
    for (const actor of [bob, stranger]) await expect(edit(actor, id, 'x')).rejects.toMatchObject(missing);
  for (const [actor, id] of [
    [bob, ofAlice],
    [alice, ofBob],
    [alice, ofBot],
    [bot, ofAlice],
    [stranger, ofBob],
  ] as const)
    await expect(edit(actor, id, 'x'), actor.username).rejects.toMatchObject(forbidden);
  for (const [actor, id] of [
    [alice, ofAlice],
    [bob, ofBob],
    [bot, ofBot],
  ] as const)
    expect(await edit(actor, id, `by ${actor.username}`)).toMatchObject({ content: `by ${actor.username}` });
  await bob.api.leaveChat({ chat_id });
  await expect(edit(bob, ofBob, 'from afar')).rejects.toMatchObject(forbidden);
  expect(textsOf(await historyOf(alice, chat_id))).toEqual(['by alice', `by ${bot.username}`, 'by bob']);
});

test('EDIT-2, FORWARD-1: in a direct chat an account that may not write can neither edit nor forward', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.direct(alice, bob);
  const { id } = await bob.api.sendMessage({ chat_id, text: 'said' });
  await alice.api.blockUser({ username: 'bob' });
  await expect(edit(bob, id, 'and now?')).rejects.toMatchObject(forbidden);
  for (const actor of [alice, bob])
    await expect(actor.api.forwardMessages({ message_ids: [id], to_chat_id: chat_id })).rejects.toMatchObject(
      forbidden,
    );
  await alice.api.unblockUser({ username: 'bob' });
  expect(await edit(bob, id, 'and now?')).toMatchObject({ content: 'and now?' });
});

test('EDIT-3: only messages with a text of the sender’s own can be edited', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const notice = await alice.api.sendMessage({ chat_id, text: 'renamed', service: { kind: 'renamed' } });
  const said = await alice.api.sendMessage({ chat_id, text: 'said' });
  const { items } = await alice.api.forwardMessages({ message_ids: [said.id], to_chat_id: chat_id });
  for (const id of [notice.id, items[0]?.id ?? ''])
    await expect(edit(alice, id, 'x')).rejects.toMatchObject({ status: 400, parameters: { field: 'message_id' } });
});

test('EDIT-3, EDIT-1: a reply can be edited after it has ended, with a revision above all published ones', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, begin, reply } = await streams.scene(world);
  const socket = await bob.socket();
  for (const status of ['complete', 'failed', 'cancelled'] as const) {
    const stream = status === 'complete' ? reply : await begin();
    await stream.append(`${status} `);
    await expect(edit(bot, stream.id, 'too soon')).rejects.toMatchObject(streams.closed);
    // Revisions from before the crash are not used again.
    await socket.event('messageDelta', ({ id }) => id === stream.id).catch(() => {});
    if (status === 'complete') await world.crash();
    const { content_revision } = await stream.finish(status);
    const edited = await checkReplay(world, [alice, bob], () => edit(bot, stream.id, `a ${status} one`));
    expect(edited).toMatchObject({ status, content: `a ${status} one`, content_revision: content_revision + 1 });
  }
  await edit(bot, reply.id, `@${bot.username} @bob`);
  expect((await historyOf(bob, chat_id))[0]).toMatchObject({ mentions: [bot.username, 'bob'], dispatch: [] });
});

test('EDIT-4: an edited text must respect the size limits', async () => {
  await using world = await createWorld();
  const { alice, chat_id } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const plain = await alice.api.sendMessage({ chat_id, text: 'text alone' });
  const news = await alice.api.sendMessage({ chat_id, text: 'and more', attachments: [{ kind: 'news' }] });
  const ofBot = await bot.api.sendMessage({ chat_id, text: 'of a bot' });
  const long = 'x'.repeat(32 * 1024 + 1);
  await expect(edit(alice, plain.id, long)).rejects.toMatchObject({ status: 413, parameters: { field: 'text' } });
  await expect(edit(bot, ofBot.id, long.repeat(8))).rejects.toMatchObject({ status: 413 });
  await expect(edit(alice, plain.id, '')).rejects.toMatchObject({ status: 400, parameters: { field: 'text' } });
  expect(await edit(alice, plain.id, long.slice(1))).toMatchObject({ content_revision: 2 });
  expect(await edit(bot, ofBot.id, long)).toMatchObject({ content_revision: 2 });
  expect(await edit(alice, news.id, '')).toMatchObject({ content: '', attachments: [{ kind: 'news' }] });
});

test('EDIT-6: an edit fires no agent and makes nothing unread; the same text again is not an edit', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const bot = await botIn(world, alice, await alice.api.getChat({ chat_id }));
  const sent = await alice.api.sendMessage({ chat_id, text: 'quiet' });
  await bob.api.markRead({ chat_id, message_id: sent.id });
  const socket = await bot.socket('ext');
  const edited = await edit(alice, sent.id, `@${bot.username} @bob`);
  expect(edited).toMatchObject({ mentions: [bot.username, 'bob'], dispatch: [] });
  expect(await checkReplay(world, both, () => edit(alice, sent.id, edited.content))).toEqual(edited);
  expect(socket.methods).toEqual(['messageUpdated']);
  expect((await bob.api.getChat({ chat_id })).unread_count).toBe(0);
});

test('EDIT-7: the former text is kept nowhere, and several edits are one frame of a replay', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { agent, chat } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['an answer'] });
  const first = await alice.api.sendMessage({ chat_id: chat.id, text: 'the former text' });
  await world.turnsEnded();
  // The former text is already indexed, not only scanned as a new message.
  await world.service.search.tend();
  const { head: since } = await alice.api.getChats({});
  for (let n = 1; n <= 20; n += 1) await edit(alice, first.id, n === 20 ? 'the later text' : `the former text ${n}`);
  const { frames } = await alice.api.getUpdates({ since: 0 });
  const ext = await alice.socket('ext');
  const told = await alice.api.getUpdates({ since, socket: ext.hello.socket });
  expect(told.frames.map(({ method }) => method)).toEqual(['events.messageUpdated']);
  await alice.api.sendMessage({ chat_id: chat.id, text: 'and now?' });
  await world.turnsEnded();
  const shown = [
    frames,
    told,
    await historyOf(alice, chat.id),
    await alice.api.getMessages({ message_ids: [first.id] }),
    await alice.api.getChats({}),
    await alice.api.searchMessages({ query: 'text' }),
    world.providers.requestsOf(agent.key).at(-1)?.body,
  ].map((answer) => JSON.stringify(answer));
  for (const [at, answer] of shown.entries()) {
    expect(answer, String(at)).not.toContain('former');
    if (at !== 4) expect(answer, String(at)).toContain('the later text');
  }
  expect((await alice.api.searchMessages({ query: 'former' })).items).toEqual([]);
  await world.service.search.tend();
  expect((await alice.api.searchMessages({ query: 'later' })).items).toMatchObject([{ message: { id: first.id } }]);
});

test('EDIT-7, EDIT-6: a push that is sent after the edit shows the new text, and the edit itself pushes nothing', () =>
  withPushes(async ({ world, push, aliceAndBob, pushed }) => {
    const held = Promise.withResolvers<void>();
    const { alice, bob, chat_id, say } = await aliceAndBob({ hold: held.promise }, {});
    await say('under way');
    await push.nth('bob');
    // One device gets the push before the edit: the text read for it must not be cached for the other devices.
    await bob.api.registerPushToken({ platform: 'web', token: push.subscribe('phone') });
    const { id } = await alice.api.sendMessage({ chat_id, text: 'the former text' });
    await push.nth('phone');
    await edit(alice, id, 'the later text');
    held.resolve();
    await pushed();
    expect([push.bodies('bob'), push.bodies('phone')]).toEqual([['under way', 'the later text'], ['the former text']]);
    await edit(alice, id, 'once more');
    await world.settle();
    await pushed();
    expect(push.bodies('bob')).toHaveLength(2);
  }));

test('EDIT-8: a retry of the send returns the message as it is now, and stores nothing', async () => {
  await using world = await createWorld();
  const { alice, chat_id, both } = await scene(world);
  const given = { chat_id, text: 'before', client_msg_id: 'once' };
  const { id } = await alice.api.sendMessage(given);
  const edited = await edit(alice, id, 'after');
  expect(await checkReplay(world, both, () => alice.api.sendMessage(given))).toEqual(edited);
  await expect(alice.api.sendMessage({ ...given, text: 'after' })).rejects.toMatchObject({ status: 409 });
});

test('EDIT-9: of two concurrent edits the later commit counts; an edit concurrent with a deletion leaves a tombstone', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, both } = await scene(world);
  const { id } = await alice.api.sendMessage({ chat_id, text: 'zero' });
  const texts = ['one', 'two', 'three'];
  const edits = await checkReplay(world, both, () => Promise.all(texts.map((text) => edit(alice, id, text))));
  expect(new Set(edits.map(({ content_revision }) => content_revision))).toEqual(new Set([2, 3, 4]));
  const last = edits.find(({ content_revision }) => content_revision === 4);
  expect(await historyOf(bob, chat_id)).toEqual([last]);
  for (let times = 0; times < 10; times += 1) {
    const sent = await alice.api.sendMessage({ chat_id, text: 'to be deleted' });
    await checkReplay(world, both, () =>
      Promise.allSettled([
        edit(alice, sent.id, 'edited'),
        alice.api.deleteMessages({ message_ids: [sent.id] }),
        edit(alice, sent.id, 'edited again'),
      ]),
    );
    expect((await alice.api.getMessages({ message_ids: [sent.id] })).items).toEqual([]);
    await expect(edit(alice, sent.id, 'after all')).rejects.toMatchObject(missing);
  }
});

test(
  'EDIT-9: an edit concurrent with a reply’s end is refused if the end is stored later, and applied if it is stored first',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { alice, bob, bot, begin } = await streams.scene(world);
    for (let times = 0; times < 10; times += 1) {
      const stream = await begin();
      await stream.append('the whole text');
      const [finished, edited] = await checkReplay(world, [alice, bob], () =>
        Promise.allSettled([stream.finish(), edit(bot, stream.id, 'edited')]),
      );
      expect(finished.status).toBe('fulfilled');
      if (edited.status === 'rejected') expect(edited.reason).toMatchObject(streams.closed);
      const message = await streams.messageOf(bob, stream.id);
      expect(message).toMatchObject({
        status: 'complete',
        content: edited.status === 'rejected' ? 'the whole text' : 'edited',
      });
    }
  },
);
