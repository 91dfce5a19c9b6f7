import { faults } from '@parley/server/store/references.ts';
import { type Part, limits, type Params } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, type TestSocket, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { closed, messageOf, scene } from '../helpers/stream-stage.ts';

type Given = NonNullable<Params<'appendMessageStream'>['part']>;

const search: Given = { id: 's', type: 'tool', name: 'search', input: { q: 'trains' }, status: 'running' };
const source: Given = { id: 'u', type: 'source', url: 'https://trains.example/', title: 'Timetable' };

const partsOf = async (actor: Actor, id: string): Promise<readonly Part[] | undefined> =>
  (await messageOf(actor, id))?.parts;
/** The parts that a socket received, without what they all have. */
const received = (socket: TestSocket) => socket.all('messagePart').map(({ part }) => part);

/** Passes the time for which changes are gathered, and what a snapshot for sockets with `patch` delays them. */
async function pass(world: World, clock: ManualClock): Promise<void> {
  for (const ms of [40, 40]) {
    await world.settle();
    await clock.advance(ms);
  }
}

test('PART-22: notices and progress that a bot writes have no cause, whatever it sends', async () => {
  await using world = await createWorld();
  const { bob, reply } = await scene(world);
  const cause = { kind: 'thinking_refused' };
  const written = [
    { id: 'p', type: 'progress', text: 'Reading' },
    { id: 'n', type: 'notice', text: 'That is all.' },
  ] as const;
  for (const part of written) await reply.part(Object.assign({ cause }, part));
  await reply.finish();
  expect(await partsOf(bob, reply.id)).toEqual(written.map((part) => ({ ...part, offset: 0 })));
});

test('PART-1, PART-3, PART-5: parts of a reply are sent to sockets with ext, after the text, in their newest state', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, bot, chat_id, reply } = await scene(world);
  const others = [await bob.socket(), await bob.socket('patch'), await bob.socket('nodrafts,ext')];
  const sockets = [await bob.socket('ext'), await bob.socket('ext,patch')];
  await reply.part(search);
  for (const socket of sockets) await socket.event('messagePart');
  await reply.append('See ');
  await reply.part({ ...search, status: 'done', output: ['8:15'], duration_ms: 120 });
  await reply.part(source);
  await reply.part({ id: 'p', type: 'progress', text: 'Reading', done: 1, total: 3 });
  await reply.part({ id: 'p', type: 'progress', text: 'Reading', done: 2, total: 3 });
  await reply.part({ id: 'n', type: 'notice', text: 'Two pages were left out.' });
  await pass(world, clock);
  const expected: Part[] = [
    {
      id: 's',
      offset: 0,
      type: 'tool',
      name: 'search',
      input: { q: 'trains' },
      status: 'done',
      output: ['8:15'],
      duration_ms: 120,
    },
    { id: 'u', offset: 4, type: 'source', url: 'https://trains.example/', title: 'Timetable' },
    { id: 'p', offset: 4, type: 'progress', text: 'Reading', done: 2, total: 3 },
    { id: 'n', offset: 4, type: 'notice', text: 'Two pages were left out.' },
  ];
  for (const socket of sockets) {
    await socket.event('messagePart', ({ part }) => part.id === 'n');
    expect(received(socket)).toEqual([{ ...search, offset: 0 }, ...expected]);
    // Text that is added to a part does not repeat where it belongs.
    for (const { id, conversation_id, part } of socket.all('messagePart'))
      expect([id, conversation_id]).toEqual([reply.id, 'append' in part ? undefined : chat_id]);
  }
  const about = sockets[0]?.frames.filter(({ params }) => params['id'] === reply.id) ?? [];
  expect(about.map(({ method }) => method.replace('events.', ''))).toEqual([
    'messagePart',
    'messageDelta',
    ...Array(4).fill('messagePart'),
  ]);
  expect(about.map(({ params }) => params['content_revision'])).toEqual([2, 3, 4, 5, 6, 7]);
  expect(await partsOf(bob, reply.id)).toEqual(expected);
  await reply.finish();
  for (const socket of [...sockets, ...others]) {
    const end = await socket.event('messageComplete');
    expect(end.parts).toEqual(expected);
  }
  for (const socket of others) expect(received(socket)).toEqual([]);
  await expect(bot.api.appendMessageStream({ message_id: reply.id, part: source })).rejects.toMatchObject(closed);
});

test('PART-3: with focus, parts of replies out of focus are not sent; a new focus brings them with the snapshot', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, reply } = await scene(world);
  const socket = await bob.socket('ext,focus');
  await reply.part(search);
  await reply.part(source);
  await clock.advance(40);
  await world.settle();
  expect(received(socket)).toEqual([]);
  await socket.rpc('wsFocus', { socket: socket.hello.socket, focus: { chat_id } });
  const snapshot = await socket.event('messageNew', ({ id }) => id === reply.id);
  expect(snapshot.parts?.map(({ id }) => id)).toEqual(['s', 'u']);
  await reply.part({ ...search, status: 'done' });
  await pass(world, clock);
  await socket.event('messagePart', ({ part }) => part.id === 's');
});

test('PART-4, PART-5: reasoning is sent in pieces, none of them twice; a duration comes with a piece', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, reply } = await scene(world);
  const socket = await bob.socket('ext,patch');
  await reply.think('Hm, ');
  await reply.think('ñandú');
  await reply.think('s 🙂');
  await pass(world, clock);
  await reply.part({ id: 'thought', type: 'reasoning', append: '', text_offset: 17, duration_ms: 40 });
  await pass(world, clock);
  await socket.event('messagePart', ({ part }) => 'append' in part && part.duration_ms === 40);
  expect(received(socket)).toEqual([
    { id: 'thought', offset: 0, type: 'reasoning', text: 'Hm, ' },
    { id: 'thought', append: 'ñandús 🙂', text_offset: 17 },
    { id: 'thought', append: '', text_offset: 17, duration_ms: 40 },
  ]);
  const whole = { id: 'thought', offset: 0, type: 'reasoning', text: 'Hm, ñandús 🙂', duration_ms: 40 };
  expect(await partsOf(bob, reply.id)).toEqual([whole]);
  await reply.part({ id: 'thought', type: 'reasoning', text: 'Other' });
  await pass(world, clock);
  await socket.event('messagePart', ({ part }) => 'text' in part && part.text === 'Other');
});

test('PART-6, PART-7, LOG-17: clients with any caps that connect before, between and after have the stored parts', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, reply } = await scene(world);
  const followers = await Promise.all(['ext', 'ext,patch', 'patch', ''].map((caps) => bob.follow(caps)));
  await checkReplay(world, [alice], async () => {
    await reply.think('first');
    await reply.part(search);
    await reply.append('One\ntwo');
    await clock.advance(40);
    await world.settle();
    for (const follower of followers) await follower.drop();
    // Only parts change while the clients are away.
    await reply.think(' and second');
    await reply.part({ ...search, status: 'done' });
    await clock.advance(2_000);
    await world.settle();
    for (const follower of followers) {
      await follower.connect();
      await follower.compare();
    }
    await reply.append(' three');
    await reply.think(' and third');
    await clock.advance(2_000);
    await world.settle();
    for (const follower of followers) await follower.compare();
    await reply.replace('x');
    await reply.think('!');
    await clock.advance(2_000);
    for (const follower of followers) await follower.compare();
    await reply.finish();
  });
  for (const follower of followers) await follower.compare();
  expect((await partsOf(bob, reply.id))?.[0]).toMatchObject({ text: 'first and second and third!' });
});

test('PART-8: only the author writes parts; a repetition changes nothing; what does not fit is refused', async () => {
  await using world = await createWorld();
  const { alice, bot, reply } = await scene(world);
  const message_id = reply.id;
  const write = (part: Given) => bot.api.appendMessageStream({ message_id, part });
  const grow = (append: string, text_offset: number, id = 't') => write({ id, type: 'reasoning', append, text_offset });
  await expect(alice.api.appendMessageStream({ message_id, part: search })).rejects.toMatchObject({ status: 403 });
  await write(search);
  const before = await bot.api.appendMessageStream({ message_id, delta: 'a', offset: 1 });
  expect(await write({ ...search, offset: 0 })).toEqual(before);
  await grow('aé', 3);
  for (const [append, offset] of [
    ['é', 3],
    ['a', 1],
    ['', 3],
  ] as const)
    await grow(append, offset);
  for (const [append, offset] of [
    ['x', 3],
    ['b', 5],
    ['éb', 3],
  ] as const)
    await expect(grow(append, offset)).rejects.toMatchObject({ ...closed, parameters: { offset: 3 } });
  await expect(grow('b', 1, 's')).rejects.toMatchObject({ status: 400 });
  await expect(grow('b', 5, 'new')).rejects.toMatchObject({ ...closed, parameters: { offset: 0 } });
  const bad: object[] = [
    { id: '', type: 'notice', text: 'x' },
    { id: 'x'.repeat(65), type: 'notice', text: 'x' },
    { id: 'x', type: 'thought', text: 'x' },
    { id: 'x', type: 'tool', name: 'x' },
    { id: 'x', type: 'tool', name: 'x', status: 'odd' },
    { id: 'x', type: 'reasoning' },
    { id: 'x', type: 'reasoning', text: 'a', append: 'b', text_offset: 1 },
    { id: 'x', type: 'reasoning', append: 'b' },
    { id: 'x', type: 'source', url: 'javascript:alert(1)' },
    { id: 'x', type: 'source', url: 'https://' },
    { id: 'x', type: 'progress', text: 'x', done: -1 },
    { id: 'x', type: 'notice', text: 'x', offset: -1 },
    { id: 'x', type: 'notice', text: '\ud800' },
  ];
  for (const part of bad)
    await expect(write(part as Given), JSON.stringify(part)).rejects.toMatchObject({ status: 400 });
  for (const more of [{ delta: 'b', offset: 2 }, { text: 'b' }])
    await expect(bot.api.appendMessageStream({ message_id, part: search, ...more })).rejects.toMatchObject({
      status: 400,
    });
  // Another node shows them when they are published.
  await expect
    .poll(async () => (await partsOf(alice, message_id))?.map((part) => [part.id, part.offset]))
    .toEqual([
      ['s', 0],
      ['t', 1],
    ]);
});

test('PART-9: more than 200 parts or 256 KiB of JSON is 413, and changes nothing', async () => {
  await using world = await createWorld();
  const { alice, reply, begin } = await scene(world);
  for (let at = 0; at < limits.partsPerMessage; at += 1) await reply.part({ id: `${at}`, type: 'notice', text: 'x' });
  await expect(reply.part(source)).rejects.toMatchObject({ status: 413 });
  await reply.part({ id: '7', type: 'notice', text: 'changed' });
  const long = await begin();
  const text = '"'.repeat(limits.partsBytes / 2 - 200);
  await long.part({ id: 'a', type: 'tool', name: 'read', output: text, status: 'done' });
  await expect(long.part({ id: 'b', type: 'notice', text: 'x'.repeat(500) })).rejects.toMatchObject({ status: 413 });
  await expect(long.think('x'.repeat(500))).rejects.toMatchObject({ status: 413 });
  await expect(long.part({ id: 'a', type: 'reasoning', text: 'x'.repeat(limits.partsBytes) })).rejects.toMatchObject({
    status: 413,
  });
  expect((await partsOf(alice, long.id))?.map(({ id }) => id)).toEqual(['a']);
  await long.part({ id: 'a', type: 'tool', name: 'read', output: 'short', status: 'done' });
  await long.part({ id: 'b', type: 'reasoning', text: 'y'.repeat(100_000) });
  await expect(long.think('"'.repeat(100_000), 'b')).rejects.toMatchObject({ status: 413 });
  expect((await long.finish()).parts).toHaveLength(2);
});

test('PART-10, STREAM-14: after a crash a reply has the parts of its last checkpoint, and the daemon continues them', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, reply } = await scene(world);
  const followers = [await bob.follow('ext'), await bob.follow('ext,patch')];
  await reply.append('kept');
  await reply.part(search);
  await reply.think('long ');
  await clock.advance(1_100);
  await world.settle();
  await reply.think('ago');
  await clock.advance(40);
  await world.settle();
  await world.crash();
  await expect.poll(() => world.sum(({ streams }) => streams.size)).toBe(1);
  for (const follower of followers) await follower.connect();
  await reply.think(', or not');
  await reply.part({ ...search, status: 'done' });
  await clock.advance(1_100);
  await world.settle();
  for (const follower of followers) await follower.compare();
  const { parts, content } = await reply.finish();
  expect([content, parts]).toEqual([
    'kept',
    [
      { ...search, offset: 4, status: 'done' },
      { id: 'thought', offset: 4, type: 'reasoning', text: 'long ago, or not' },
    ],
  ]);
});

test('PART-2, PART-11: open tools end as unknown with their reply, and places are cut to its text', async () => {
  await using world = await createWorld();
  const { alice, begin, chat_id } = await scene(world);
  for (const status of ['complete', 'failed', 'cancelled'] as const) {
    const reply = await begin();
    await reply.append('a long text 🙂 indeed');
    const open = ['pending', 'needs_approval', 'running'] as const;
    for (const state of open) await reply.part({ id: state, type: 'tool', name: 'x', status: state });
    await reply.part({ id: 'done', type: 'tool', name: 'x', status: 'done', offset: 2 });
    await reply.part({ id: 'far', type: 'notice', text: 'x', offset: 1_000_000 });
    await reply.replace('🙂');
    const { parts } = await reply.finish(status);
    expect(parts?.map((part) => [part.id, part.offset, part.type === 'tool' ? part.status : ''])).toEqual([
      ...open.map((state) => [state, 4, 'unknown']),
      ['done', 0, 'done'],
      ['far', 4, ''],
    ]);
  }
  const silent = await begin();
  await silent.part(source);
  expect(await silent.finish('cancelled')).toMatchObject({ content: '', parts: [{ id: 'u' }], status: 'cancelled' });
  const { items } = await alice.api.getChatHistory({ chat_id });
  expect(items.at(-1)?.id).toBe(silent.id);
});

test('PART-2, PART-12: an edit keeps the parts at places of the new text; deletion removes them', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, chat_id, reply } = await scene(world);
  await reply.append('a long text');
  await reply.think('secret thought');
  await reply.part(source);
  const { id } = await reply.finish();
  await checkReplay(world, [alice, bob], () => bot.api.editMessage({ message_id: id, text: 'é' }));
  expect((await partsOf(bob, id))?.map(({ offset }) => offset)).toEqual([2, 2]);
  await checkReplay(world, [alice, bob], () => bot.api.deleteMessages({ message_ids: [id] }));
  expect(await world.sql("SELECT count(*) AS count FROM messages WHERE record LIKE '%secret%'")).toEqual([
    { count: 0 },
  ]);
  const open = await bot.api.startMessageStream({ chat_id });
  await bot.api.appendMessageStream({ message_id: open.id, part: search });
  await alice.api.deleteMessages({ message_ids: [open.id] });
  expect(await world.sql('SELECT count(*) AS count FROM streams')).toEqual([{ count: 0 }]);
  await expect(bot.api.appendMessageStream({ message_id: open.id, part: search })).rejects.toMatchObject({
    status: 404,
  });
});

test('PART-12: a forwarded copy keeps the sources alone', async () => {
  await using world = await createWorld();
  const { alice, bob, reply } = await scene(world);
  const { id: to_chat_id } = await world.group(bob, alice);
  await reply.append('See ');
  await reply.think('secret');
  for (const part of [search, source]) await reply.part(part);
  await reply.append('there.');
  const { id } = await reply.finish();
  const { items } = await bob.api.forwardMessages({ message_ids: [id], to_chat_id });
  expect(items[0]?.parts).toEqual([{ ...source, offset: 4 }]);
});

test('PART-13: mentions in parts fire nobody', async () => {
  await using world = await createWorld();
  const { bob, bot, reply } = await scene(world);
  await reply.append('Hello.');
  await reply.think(`I ask @${bot.username} and @${bob.username}.`);
  const { mentions, dispatch } = await reply.finish();
  expect([mentions, dispatch]).toEqual([[], []]);
});

test('PART-14: a message is found by the titles of its sources, not by its reasoning or tools', async () => {
  await using world = await createWorld();
  const { alice, bob, bot, reply } = await scene(world);
  await reply.append('Nothing else.');
  await reply.think('nonsense');
  for (const part of [search, { ...source, excerpt: 'excerpted' }]) await reply.part(part);
  const { id } = await reply.finish();
  const find = async (query: string) => (await alice.api.searchMessages({ query })).items;
  for (const query of ['timetable', 'else timetable'])
    expect((await find(query)).map(({ message }) => message.id)).toEqual([id]);
  for (const query of ['nonsense', 'trains', 'excerpted']) expect(await find(query)).toEqual([]);
  await world.service.search.tend();
  expect((await find('timetable'))[0]?.message.id).toBe(id);
  expect(await find('nonsense')).toEqual([]);
  await bot.api.deleteMessages({ message_ids: [id] });
  expect(await find('timetable')).toEqual([]);
  expect((await bob.api.searchMessages({ query: 'timetable' })).items).toEqual([]);
});

test('PART-12, LIMIT-22: parts count among the stored bytes of their bot’s owner', async () => {
  await using world = await createWorld();
  const { bot, reply } = await scene(world);
  const stored = async () => {
    const [row] = await world.sql<{ bytes: number }>(
      'SELECT s.bytes FROM stored_bytes s JOIN accounts a ON a.parent_key = s.owner_key WHERE a.username = $1',
      bot.username,
    );
    return row?.bytes ?? 0;
  };
  const before = await stored();
  await reply.part({ ...search, status: 'done', output: 'x'.repeat(10_000) });
  await reply.finish();
  expect(await stored()).toBeGreaterThan(before + 10_000);
  const count = faults['owners whose stored bytes are counted wrongly'];
  expect(await world.sql(count?.sql ?? '')).toEqual([{ count: 0 }]);
});

test('PART-12, EXPORT-3: an export has no parts, not even those of a forwarded copy', async () => {
  await using world = await createWorld();
  const { bob, chat_id, reply } = await scene(world);
  await reply.append('See.');
  await reply.part(source);
  await reply.finish();
  const { items } = await bob.api.forwardMessages({ message_ids: [reply.id], to_chat_id: chat_id });
  expect(items[0]?.parts).toMatchObject([{ id: 'u' }]);
  const { url } = await bob.api.exportMyData();
  const text = await (await fetch(new URL(url, world.url))).text();
  expect(text).toContain(items[0]?.id);
  expect(text).not.toContain('trains.example');
});
