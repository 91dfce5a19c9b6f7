import type { Params } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, unknownId, type World } from '@parley/testing';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const refused = (status: number) => ({ status });
type PollParams = NonNullable<Params<'sendMessage'>['poll']>;

/** A group of three people, and a function that sends a poll of the first. */
async function scene(world: World) {
  const people = await world.people('ann', 'ben', 'cleo', 'stranger');
  const { ann, ben, cleo } = people;
  const chat = await world.group(ann, ben, cleo);
  const chat_id = chat.id;
  const poll = async (more: Partial<PollParams> = {}, sender: Actor = ann) =>
    (
      await sender.api.sendMessage({
        chat_id,
        text: '',
        poll: { question: 'Where to?', options: ['Rome', 'Oslo', 'Bath'], ...more },
      })
    ).id;
  const shown = async (id: string, reader: Actor = cleo) =>
    (await reader.api.getMessages({ message_ids: [id] })).items[0]?.poll;
  const votes = async (id: string) => (await shown(id))?.options.map((option) => option.votes);
  return { ...people, chat, chat_id, poll, shown, votes };
}

test('POLL-1: a poll has a question and two to twelve different options, and nothing else beside it', async () => {
  await using world = await createWorld();
  const { ann, chat_id } = await scene(world);
  const send = (poll: object, more: object = {}) =>
    ann.api.sendMessage({ chat_id, text: '', poll: { question: 'Q', options: ['a', 'b'], ...poll }, ...more });
  const most = Array.from({ length: 12 }, (_, at) => `${at} `.padEnd(256, 'x'));
  const year = 365 * 86_400;
  const { poll } = await send({ question: 'x'.repeat(1024), options: most, is_multiple: true, closes_in: year });
  expect(poll).toMatchObject({ voter_count: 0, is_multiple: true, is_anonymous: false });
  expect(poll?.options).toEqual(most.map((text) => ({ text, votes: 0 })));
  for (const wrong of [
    { question: '' },
    { question: ' ' },
    { question: 'two\nlines' },
    { question: 'x'.repeat(1025) },
    { options: ['a'] },
    { options: [...most, 'one more'] },
    { options: ['a', 'a'] },
    { options: ['a', ''] },
    { options: ['a', 'x'.repeat(257)] },
    { closes_in: 59 },
    { closes_in: year + 1 },
  ])
    await expect(send(wrong), JSON.stringify(wrong)).rejects.toMatchObject(refused(400));
  for (const beside of [
    { text: 'hello' },
    { attachments: [{ kind: 'news' as const }] },
    { service: { kind: 'call_started' } },
  ])
    await expect(send({}, beside)).rejects.toMatchObject(refused(400));
});

test('POLL-1: a retry with the same client_msg_id returns the poll as it is, and with another poll is 409', async () => {
  await using world = await createWorld();
  const { ann, ben, chat_id } = await scene(world);
  const send = (question: string) =>
    ann.api.sendMessage({ chat_id, text: '', client_msg_id: 'one', poll: { question, options: ['a', 'b'] } });
  const { id } = await send('First?');
  await ben.api.votePoll({ message_id: id, options: [1] });
  expect(await send('First?')).toMatchObject({ id, poll: { voter_count: 1 } });
  await expect(send('Second?')).rejects.toMatchObject(refused(409));
});

test('POLL-2: a poll is a message with its text, which is found, mentions and fires; it cannot be edited, and a forwarded copy is the text', async () => {
  await using world = await createWorld();
  const { ann, ben, chat, chat_id, poll } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const message_id = await poll({ question: `Which one, @${bot.username}?`, options: ['Marmalade', '@ben knows'] });
  const text = `Which one, @${bot.username}?\n\n1. Marmalade\n2. @ben knows`;
  const [message] = (await ben.api.getMessages({ message_ids: [message_id] })).items;
  expect(message).toMatchObject({ content: text, mentions: [bot.username, 'ben'], dispatch: [bot.username] });
  const { items } = await ben.api.searchMessages({ query: 'marmalade' });
  expect(items.map((item) => item.message.id)).toEqual([message_id]);
  await expect(ann.api.editMessage({ message_id, text: 'another' })).rejects.toMatchObject(refused(400));
  const forwarded = await ben.api.forwardMessages({ message_ids: [message_id], to_chat_id: chat_id });
  expect(forwarded.items[0]).toMatchObject({ content: text });
  expect(forwarded.items[0]).not.toHaveProperty('poll');
});

test('POLL-3, POLL-4: a vote replaces the former one, an empty list takes it back, and everyone receives the results', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, cleo, poll, shown } = await scene(world);
  const [one, several] = [await poll(), await poll({ is_multiple: true })];
  const [plain, ext] = [await cleo.socket(), await cleo.socket('ext')];
  await checkReplay(world, [ann, ben, cleo], async () => {
    for (const [actor, options] of [
      [ann, [0]],
      [ben, [1]],
      [ann, [1]],
    ] as const) {
      await clock.advance(1_000);
      expect(await actor.api.votePoll({ message_id: one, options: [...options] })).toEqual({
        message_id: one,
        options,
      });
    }
    await clock.advance(1_000);
    await ann.api.votePoll({ message_id: several, options: [2, 0, 2] });
  });
  const results = {
    question: 'Where to?',
    options: [
      { text: 'Rome', votes: 0 },
      { text: 'Oslo', votes: 2 },
      { text: 'Bath', votes: 0 },
    ],
    voter_count: 2,
    is_multiple: false,
    is_anonymous: false,
  };
  for (const reader of [ann, cleo]) expect(await shown(one, reader)).toEqual(results);
  expect(await shown(several)).toMatchObject({ voter_count: 1, options: [{ votes: 1 }, { votes: 0 }, { votes: 1 }] });
  await world.settle();
  expect(plain.methods).toEqual([]);
  expect(ext.methods).toEqual(Array(4).fill('messageUpdated'));
  expect(ext.all('messageUpdated')[2]).toEqual(expect.objectContaining({ id: one, poll: results }));

  await clock.advance(1_000);
  await ann.api.votePoll({ message_id: one, options: [] });
  expect(await shown(one)).toMatchObject({ voter_count: 1, options: [{ votes: 0 }, { votes: 1 }, { votes: 0 }] });
});

test('POLL-4: a vote that changes nothing sends no event; agents and wrong options are refused', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, chat, chat_id, poll } = await scene(world);
  const bot = await botIn(world, ann, chat);
  const message_id = await poll();
  await ann.api.votePoll({ message_id, options: [1] });
  await clock.advance(2_000);
  const [theirs, own] = [await ben.socket('ext'), await ann.socket('ext')];
  await ann.api.votePoll({ message_id, options: [1] });
  await ben.api.votePoll({ message_id, options: [] });
  await clock.advance(2_000);
  await world.settle();
  expect([...theirs.methods, ...own.methods]).toEqual([]);
  for (const options of [[3], [0, 1], [-1], [0.5]])
    await expect(ben.api.votePoll({ message_id, options }), String(options)).rejects.toMatchObject(refused(400));
  await expect(bot.api.votePoll({ message_id, options: [0] })).rejects.toMatchObject(refused(403));
  // A bot can send a poll.
  const asked = await bot.api.sendMessage({ chat_id, text: '', poll: { question: 'Q', options: ['a', 'b'] } });
  await ben.api.votePoll({ message_id: asked.id, options: [0] });
});

test('POLL-5: only participants vote, in polls that are there; votes of those who left or were deleted still count', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, stranger, chat_id, poll, shown } = await scene(world);
  const member = await world.member();
  await ann.api.addMembers({ chat_id, usernames: [member.username] });
  const message_id = await poll();
  for (const actor of [ben, cleo, member]) await actor.api.votePoll({ message_id, options: [0] });
  const { id: channel_id } = await ann.api.createChannel({ chat_id, title: 'passing' });
  const question = { question: 'Q', options: ['a', 'b'] };
  const inChannel = await ann.api.sendMessage({ chat_id, channel_id, text: '', poll: question });
  const deleted = await poll();
  await ann.api.deleteMessages({ message_ids: [deleted] });
  await ann.api.deleteChannel({ chat_id, channel_id });
  const { id: plain } = await ann.api.sendMessage({ chat_id, text: 'no poll' });
  const calls = (actor: Actor, id: string) => [
    () => actor.api.votePoll({ message_id: id, options: [0] }),
    () => actor.api.closePoll({ message_id: id }),
    () => actor.api.getPollVoters({ message_id: id, option: 0 }),
  ];
  for (const id of [unknownId, deleted, inChannel.id])
    for (const call of calls(ann, id)) await expect(call()).rejects.toMatchObject(refused(404));
  for (const call of calls(ann, plain)) await expect(call()).rejects.toMatchObject(refused(400));
  for (const call of calls(stranger, message_id)) await expect(call()).rejects.toMatchObject(refused(403));

  await ann.api.removeMember({ chat_id, username: 'ben' });
  await member.api.deleteAccount({ password: 'correct horse battery staple' });
  for (const call of calls(ben, message_id)) await expect(call()).rejects.toMatchObject(refused(403));
  expect((await ben.api.getPollVotes({ message_ids: [message_id] })).items).toEqual([]);
  await ann.api.closePoll({ message_id });
  expect(await shown(message_id)).toMatchObject({ voter_count: 3, options: [{ votes: 3 }, {}, {}] });
  const { items } = await cleo.api.getPollVoters({ message_id, option: 0 });
  expect(items.map(({ display_name }) => display_name)).toEqual(['ben', 'cleo', 'Deleted account']);
});

test('POLL-5: in a direct chat with a block a vote is 403, but can be taken back', async () => {
  await using world = await createWorld();
  const { ann, ben } = await scene(world);
  const { id: chat_id } = await world.direct(ann, ben);
  const question = { question: 'Q', options: ['a', 'b'] };
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: '', poll: question });
  await ben.api.votePoll({ message_id, options: [0] });
  await ann.api.blockUser({ username: 'ben' });
  for (const actor of [ann, ben])
    await expect(actor.api.votePoll({ message_id, options: [1] })).rejects.toMatchObject(refused(403));
  expect(await ben.api.votePoll({ message_id, options: [] })).toEqual({ message_id, options: [] });
});

test('POLL-6: the first vote is published at once, those of the next second together', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, cleo, chat_id, poll, votes } = await scene(world);
  const crowd = await Promise.all(Array.from({ length: 20 }, (_, at) => world.person(`p${at}`)));
  await ann.api.addMembers({ chat_id, usernames: crowd.map(({ username }) => username) });
  const message_id = await poll();
  const socket = await cleo.socket('ext');
  await checkReplay(world, [ann, ben, cleo], async () => {
    await ann.api.votePoll({ message_id, options: [0] });
    expect(await votes(message_id)).toEqual([1, 0, 0]);
    for (const actor of crowd) await actor.api.votePoll({ message_id, options: [1] });
    expect(await votes(message_id)).toEqual([1, 0, 0]);
    await clock.advance(2_000);
    await world.settle();
  });
  expect(await votes(message_id)).toEqual([1, 20, 0]);
  expect(socket.all('messageUpdated')).toHaveLength(2);
  await clock.advance(2_000);
  await world.settle();
  expect(socket.all('messageUpdated')).toHaveLength(2);
});

test('POLL-6: votes that were not published before a crash are published afterwards', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, cleo, poll, votes } = await scene(world);
  const message_id = await poll();
  const late = await cleo.follower('ext').load();
  for (const actor of [ann, ben]) await actor.api.votePoll({ message_id, options: [2] });
  await world.crash();
  expect(await votes(message_id)).toEqual([0, 0, 1]);
  await clock.advance(2_000);
  await world.settle();
  expect(await votes(message_id)).toEqual([0, 0, 2]);
  await late.connect();
  await world.settle();
  await late.compare();
  await late.drop();
});

test('POLL-7: only the account itself receives its vote, on all its devices, and finds it after a reconnect', async () => {
  await using world = await createWorld();
  const { ann, ben, poll } = await scene(world);
  const [one, other] = [await poll(), await poll()];
  const [own, second, plain, theirs] = [
    await ann.socket('ext'),
    await ann.socket('ext'),
    await ann.socket(),
    await ben.socket('ext'),
  ];
  await checkReplay(world, [ann, ben], async () => {
    for (const options of [[0], [2]]) await ann.api.votePoll({ message_id: one, options });
    await ann.api.votePoll({ message_id: other, options: [1] });
    await ann.api.votePoll({ message_id: other, options: [] });
  });
  await world.settle();
  const mine = [
    { message_id: one, options: [0] },
    { message_id: one, options: [2] },
    { message_id: other, options: [1] },
    { message_id: other, options: [] },
  ];
  expect(own.all('pollVoted')).toEqual(mine);
  expect(second.all('pollVoted')).toEqual(mine);
  expect([...plain.all('pollVoted'), ...theirs.all('pollVoted')]).toEqual([]);
  const asked = { message_ids: [other, one, unknownId] };
  expect((await ann.api.getPollVotes(asked)).items).toEqual([{ message_id: one, options: [2] }]);
  expect((await ben.api.getPollVotes(asked)).items).toEqual([]);
  await ann.api.deleteMessagesForMe({ message_ids: [one] });
  expect((await ann.api.getPollVotes(asked)).items).toEqual([]);
});

test('POLL-8: the voters of an option come in pages; in an anonymous poll they stay unknown to everyone', async () => {
  await using world = await createWorld();
  const { ann, ben, cleo, poll } = await scene(world);
  const [open, anonymous] = [await poll({ is_multiple: true }), await poll({ is_anonymous: true })];
  for (const actor of [cleo, ben, ann]) await actor.api.votePoll({ message_id: open, options: [0, 2] });
  await ben.api.votePoll({ message_id: open, options: [2] });
  const voters = async (option: number) =>
    (await cleo.api.getPollVoters({ message_id: open, option })).items.map(({ username }) => username);
  expect([await voters(0), await voters(1), await voters(2)]).toEqual([['ann', 'cleo'], [], ['ann', 'ben', 'cleo']]);
  const page = await cleo.api.getPollVoters({ message_id: open, option: 2, limit: 2 });
  expect(page.items.map(({ username }) => username)).toEqual(['ann', 'ben']);
  const next = await cleo.api.getPollVoters({ message_id: open, option: 2, cursor: page.next_cursor });
  expect(next).toEqual({ items: [{ username: 'cleo', kind: 'human', display_name: 'cleo' }] });
  const wrong = { message_id: open, option: 2, cursor: 'forged' };
  await expect(cleo.api.getPollVoters(wrong)).rejects.toMatchObject(refused(400));
  await ben.api.votePoll({ message_id: anonymous, options: [0] });
  for (const actor of [ann, ben])
    await expect(actor.api.getPollVoters({ message_id: anonymous, option: 0 })).rejects.toMatchObject(refused(403));
});

test('POLL-9: the sender and those who manage the group close a poll; a closed one takes no votes', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben, cleo, poll, votes } = await scene(world);
  const [own, managed, timed] = [await poll({}, ben), await poll({}, ben), await poll({ closes_in: 60 })];
  const vote = (message_id: string, actor: Actor = cleo) => actor.api.votePoll({ message_id, options: [0] });
  for (const id of [own, own, managed]) await vote(id, ben);
  await vote(own);
  await expect(cleo.api.closePoll({ message_id: own })).rejects.toMatchObject(refused(403));
  await checkReplay(world, [ann, cleo], async () => {
    const closed = await ben.api.closePoll({ message_id: own });
    expect(closed.poll).toMatchObject({ closed_at: new Date(clock.now()).toISOString(), voter_count: 2 });
    await ann.api.closePoll({ message_id: managed });
  });
  expect(await votes(own)).toEqual([2, 0, 0]);
  for (const id of [own, managed]) {
    await expect(vote(id)).rejects.toMatchObject(refused(409));
    await expect(ben.api.votePoll({ message_id: id, options: [] })).rejects.toMatchObject(refused(409));
  }

  await clock.advance(59_000);
  await vote(timed);
  await clock.advance(2_000);
  await expect(vote(timed, ben)).rejects.toMatchObject(refused(409));
  const socket = await cleo.socket('ext');
  for (const [actor, id] of [
    [ben, own],
    [ann, timed],
  ] as const)
    await actor.api.closePoll({ message_id: id });
  await world.settle();
  expect(socket.methods).toEqual([]);
});

test('POLL-10: deleting the message deletes the poll and its votes', async () => {
  await using world = await createWorld();
  const { ann, ben, poll } = await scene(world);
  const message_id = await poll();
  for (const actor of [ann, ben]) await actor.api.votePoll({ message_id, options: [0] });
  await checkReplay(world, [ann, ben], () => ann.api.deleteMessages({ message_ids: [message_id] }));
  expect(await world.sql('SELECT message_key FROM polls UNION ALL SELECT message_key FROM poll_votes')).toEqual([]);
});

test('POLL-6: simultaneous votes are all counted', async () => {
  await using world = await createWorld();
  const { ann, chat_id, poll, shown } = await scene(world);
  const crowd = await Promise.all(Array.from({ length: 30 }, (_, at) => world.person(`p${at}`)));
  await ann.api.addMembers({ chat_id, usernames: crowd.map(({ username }) => username) });
  const message_id = await poll();
  await Promise.all(crowd.map(({ api }, at) => api.votePoll({ message_id, options: [at % 3] })));
  await ann.api.closePoll({ message_id });
  expect(await shown(message_id)).toMatchObject({
    voter_count: 30,
    options: [{ votes: 10 }, { votes: 10 }, { votes: 10 }],
  });
});
