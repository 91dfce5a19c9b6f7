import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { countOtherDrafts, timelineDraftsOf } from '../../store/drafts.ts';

/** A clock that can be set back, like that of a real server. */
class SettableClock extends ManualClock {
  #back = 0;
  override now(): number {
    return super.now() - this.#back;
  }
  setBack(ms: number): void {
    this.#back += ms;
  }
}

async function scene(world: World) {
  const { alice, bob, stranger } = await world.people('alice', 'bob', 'stranger');
  const { id: chat_id } = await world.group(alice, bob);
  const save = (text: string, more: object = {}) => alice.api.saveDraft({ chat_id, text, ...more });
  return { alice, bob, stranger, chat_id, save };
}

const draftsOf = async (actor: Actor) => (await actor.api.getDrafts()).items;

test('DRAFT-1: each account has one draft per chat, stored as typed and sent to its own sockets with its origin', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, chat_id, save } = await scene(world);
  const quoted = await alice.api.sendMessage({ chat_id, text: 'quoted' });
  const socket = await alice.socket();
  const text = '  Dear **bob**,\n\t@alice ñ 🙂 \n';
  await checkReplay(world, [alice], async () => {
    expect(await save('Dear')).toEqual({ ok: true });
    expect(await save(text, { reply_to_id: quoted.id, origin: 'tab 1' })).toEqual({ ok: true });
  });
  const updated_at = expect.any(Number);
  expect(socket.all('draftUpdated')).toEqual([
    { conversation_id: chat_id, text: 'Dear', reply_to_id: null, updated_at },
    { conversation_id: chat_id, text, reply_to_id: quoted.id, updated_at, origin: 'tab 1' },
  ]);
  expect(await draftsOf(alice)).toEqual([{ chat_id, text, reply_to_id: quoted.id, updated_at }]);
  await save('no quote any more');
  expect(await draftsOf(alice)).toMatchObject([{ text: 'no quote any more', reply_to_id: null }]);
  await world.crash();
  expect(await draftsOf(alice)).toMatchObject([{ text: 'no quote any more' }]);
});

test('DRAFT-7: an account that leaves a conversation or is removed loses its draft there', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const ways = [() => alice.api.removeMember({ chat_id, username: 'bob' }), () => bob.api.leaveChat({ chat_id })];
  for (const goes of ways) {
    const socket = await bob.socket('ext');
    await bob.api.saveDraft({ chat_id, text: 'unsent' });
    await goes();
    await alice.api.addMembers({ chat_id, usernames: ['bob'] });
    await socket.event('conversationNew');
    const told = socket.frames.map(({ method, params }) => [method.replace('events.', ''), params['text']]);
    expect(told).toContainEqual(['draftUpdated', '']);
    expect(told.findIndex(([name, text]) => name === 'draftUpdated' && text === '')).toBeLessThan(
      told.findIndex(([name]) => name === 'conversationRemoved'),
    );
    expect(await draftsOf(bob)).toEqual([]);
  }
});

test('DRAFT-2: white space clears the draft, and an event is sent if there was one', async () => {
  await using world = await createWorld();
  const { alice, chat_id, save } = await scene(world);
  const socket = await alice.socket();
  for (const blank of ['', ' \t\n', '\u00a0\u3000']) {
    await save('unsent');
    await checkReplay(world, [alice], async () => {
      expect(await save(blank, { origin: 'tab 2' })).toEqual({ ok: true });
      await save(blank);
    });
    expect(await draftsOf(alice)).toEqual([]);
  }
  const told = socket.all('draftUpdated');
  expect(told.map(({ text }) => text)).toEqual(['unsent', '', 'unsent', '', 'unsent', '']);
  expect(told[1]).toMatchObject({ conversation_id: chat_id, text: '', reply_to_id: null, origin: 'tab 2' });
});

test('DRAFT-3: getDrafts returns all drafts in conversations that the caller takes part in', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const direct = await world.direct(alice, bob);
  await bob.api.saveDraft({ chat_id, text: 'to the group' });
  await bob.api.saveDraft({ chat_id: direct.id, text: 'to alice' });
  const drafts = await draftsOf(bob);
  expect(drafts).toMatchObject([
    { chat_id, text: 'to the group' },
    { chat_id: direct.id, text: 'to alice' },
  ]);
  await checkReplay(world, [bob], () => alice.api.removeMember({ chat_id, username: 'bob' }));
  expect(await draftsOf(bob)).toEqual(drafts.slice(1));
  await expect(bob.api.saveDraft({ chat_id, text: 'late' })).rejects.toMatchObject({ status: 403 });
  await expect(stranger.api.saveDraft({ chat_id, text: 'mine' })).rejects.toMatchObject({ status: 403 });
  const nowhere = { chat_id: unknownId, text: 'x' };
  await expect(alice.api.saveDraft(nowhere)).rejects.toMatchObject({ status: 404 });
});

test('DRAFT-4: updated_at is the clock in milliseconds, and increases with every save, even if the clock is set back', async () => {
  const clock = new SettableClock();
  await using world = await createWorld({ clock });
  const { alice, save } = await scene(world);
  const socket = await alice.socket();
  await save('one');
  expect(await draftsOf(alice)).toMatchObject([{ text: 'one', updated_at: clock.now() }]);
  await checkReplay(world, [alice], async () => {
    for (const text of ['two', 'three', '']) await save(text);
    for (const text of ['four', 'five']) await save(text);
    clock.setBack(10_000);
    for (const text of ['six', '', 'seven', '']) await save(text);
  });
  await clock.advance(20_000);
  await save('eight');
  await socket.event('draftUpdated', ({ text }) => text === 'eight');
  const told = socket.all('draftUpdated');
  expect(told).toHaveLength(11);
  const times = told.map(({ updated_at }) => updated_at);
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other));
  expect(times.at(-1)).toBe(clock.now());
});

test('DRAFT-5: only the account itself sees its drafts', async () => {
  await using world = await createWorld();
  const { alice, bob, stranger, chat_id } = await scene(world);
  const seen: string[] = [];
  world.watcher = {
    begin: () => 0,
    read: (receiver, text) => {
      if (receiver !== alice && text.includes('secret')) seen.push(`${receiver.username}: ${text}`);
    },
  };
  const bot = await world.bot(alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const sockets = [await bob.socket(), await stranger.socket(), await bot.socket()];
  await alice.api.saveDraft({ chat_id, text: 'a secret' });
  await alice.api.sendMessage({ chat_id, text: 'told', clear_draft: true });
  await alice.api.saveDraft({ chat_id, text: 'another secret' });
  await world.settle();
  expect(sockets.flatMap((socket) => socket.all('draftUpdated'))).toEqual([]);
  for (const other of [bob, stranger, bot]) {
    expect(await draftsOf(other)).toEqual([]);
    await other.api.getChats();
    await other.api.getUpdates({ since: 0 });
  }
  expect((await bob.api.getUpdates({ since: sockets[0]?.hello.head ?? 0 })).frames).toMatchObject([
    { method: 'events.messageNew', params: { content: 'told' } },
  ]);
  expect(seen).toEqual([]);
});

test('LIMIT-4: an account has at most 500 drafts, each of at most 32 KiB', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { alice, save } = await scene(world);
  const groups = await Promise.all(
    Array.from({ length: 500 }, (_, at) => alice.api.startChat({ usernames: [], title: `${at}` })),
  );
  await Promise.all(groups.map(({ id }) => alice.api.saveDraft({ chat_id: id, text: 'x' })));
  await expect(save('one more')).rejects.toMatchObject({ status: 400, parameters: { field: 'chat_id' } });
  const chat_id = groups[0]?.id ?? '';
  await alice.api.saveDraft({ chat_id, text: 'changed' });
  await alice.api.saveDraft({ chat_id, text: '' });
  await save('ñ'.repeat(16 * 1024));
  await expect(save(`x${'ñ'.repeat(16 * 1024)}`)).rejects.toMatchObject({ status: 413, code: 'too_large' });
  expect(await draftsOf(alice)).toHaveLength(500);
});

/** A group with a channel, and a thread in it. */
async function threadScene(world: World) {
  const { alice, bob, chat_id } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'plans' });
  const { id: thread_root_id } = await bob.api.sendMessage({ chat_id, channel_id, text: 'a root' });
  const places = [{ chat_id }, { chat_id, channel_id }, { chat_id, channel_id, thread_root_id }];
  return { alice, bob, chat_id, channel_id, thread_root_id, places };
}

const allDraftsOf = async (actor: Actor) => (await actor.api.getDrafts({ timelines: true })).items;

test('DRAFT-8: a chat, its channels and its threads each have a draft of their own', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, channel_id, thread_root_id, places } = await threadScene(world);
  await checkReplay(world, [alice], async () => {
    for (const place of places) await alice.api.saveDraft({ ...place, text: `in ${Object.keys(place).at(-1)}` });
    for (const place of places) await alice.api.saveDraft({ ...place, text: Object.keys(place).at(-1) ?? '' });
  });
  const updated_at = expect.any(Number);
  const expected = places.map((place) => ({
    ...place,
    text: Object.keys(place).at(-1),
    reply_to_id: null,
    updated_at,
  }));
  expect(await allDraftsOf(alice)).toEqual(expected);
  expect(await allDraftsOf(bob)).toEqual([]);
  await checkReplay(world, [alice], () => alice.api.saveDraft({ chat_id, channel_id, text: ' ' }));
  await world.crash();
  expect(await allDraftsOf(alice)).toEqual(expected.filter((_, at) => at !== 1));
  const { id: other } = await alice.api.createChannel({ chat_id, title: 'other' });
  for (const nowhere of [
    { channel_id: unknownId },
    { thread_root_id: unknownId },
    { channel_id: other, thread_root_id },
  ])
    await expect(alice.api.saveDraft({ chat_id, text: 'x', ...nowhere })).rejects.toMatchObject({ status: 404 });
});

test('DRAFT-9: only sockets with ext receive drafts of channels and threads, and only getDrafts with timelines returns them', async () => {
  await using world = await createWorld();
  const { alice, places } = await threadScene(world);
  const plain = await alice.socket();
  const ext = await alice.socket('ext');
  for (const place of places) await alice.api.saveDraft({ ...place, text: 'unsent', origin: 'tab 1' });
  await ext.event('draftUpdated', ({ thread_root_id }) => thread_root_id !== undefined);
  await world.settle();
  const updates = places.map(({ chat_id: conversation_id, ...place }) => ({
    conversation_id,
    ...place,
    text: 'unsent',
    reply_to_id: null,
    updated_at: expect.any(Number),
    origin: 'tab 1',
  }));
  expect(ext.all('draftUpdated')).toEqual(updates);
  expect(plain.all('draftUpdated')).toEqual(updates.slice(0, 1));
  expect((await alice.api.getUpdates({ since: plain.hello.head })).frames).toHaveLength(1);
  expect(await draftsOf(alice)).toMatchObject([places[0]]);
});

test('DRAFT-10: the draft of a channel or thread is deleted with its channel, its root, or when the account leaves', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, channel_id, thread_root_id, places } = await threadScene(world);
  const saveAll = async () => {
    for (const place of places) await bob.api.saveDraft({ ...place, text: 'unsent' });
  };
  await saveAll();
  await checkReplay(world, [bob], () => bob.api.deleteMessages({ message_ids: [thread_root_id] }));
  expect(await allDraftsOf(bob)).toMatchObject(places.slice(0, 2));
  await checkReplay(world, [bob], () => alice.api.deleteChannel({ chat_id, channel_id }));
  expect(await allDraftsOf(bob)).toMatchObject(places.slice(0, 1));
  const { id: other } = await alice.api.createChannel({ chat_id, title: 'other' });
  await bob.api.saveDraft({ chat_id, channel_id: other, text: 'unsent' });
  await checkReplay(world, [bob], () => bob.api.leaveChat({ chat_id }));
  await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  expect(await allDraftsOf(bob)).toEqual([]);
});

test('DRAFT-6: the drafts of channels and threads count to the 2 MiB of an account', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, channel_id } = await threadScene(world);
  const text = 'x'.repeat(32 * 1024);
  const roots = await Promise.all(
    Array.from({ length: 64 }, (_, at) => bob.api.sendMessage({ chat_id, text: `root ${at}` })),
  );
  for (const { id } of roots) await alice.api.saveDraft({ chat_id, thread_root_id: id, text });
  for (const place of [{}, { channel_id }])
    await expect(alice.api.saveDraft({ chat_id, ...place, text: 'x' })).rejects.toMatchObject({ status: 413 });
  await alice.api.saveDraft({ chat_id, thread_root_id: roots[0]?.id, text: 'shorter' });
  await alice.api.saveDraft({ chat_id, channel_id, text: 'x' });
});

embeddedTest('its plans')(
  'DRAFT-6: drafts are counted and listed without reading those that were cleared',
  async () => {
    await using world = await createWorld();
    for (const { sql } of [countOtherDrafts, timelineDraftsOf]) {
      const plan = await world.service.read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
      expect(plan.map(({ detail }) => detail).join('\n')).toContain('INDEX timeline_drafts_written (account_key=?)');
    }
  },
);
