import { type Actor, checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { describeCluster, embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { callerOf } from '@parley/server/agents/caller-of.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { accountByName } from '@parley/server/store/accounts.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from '../helpers/agents.ts';
import { faultsIn, LATER_MS, scene, textsIn } from '../helpers/scheduled-stage.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Why a test that sets the date runs on the embedded engine only. */
const dated = 'nodes take their dates from the database';
const daily = { every: 'day', at: '09:00', zone: 'Europe/Berlin' } as const;

/** The scene, in which alice makes schedules; time stands on a minute, so that `every` meets it exactly. */
async function stage(world: Parameters<typeof scene>[0], clock: ManualClock) {
  const made = await scene(world, clock);
  const { alice, chat_id, at } = made;
  const create = (text: string, when: object, more: object = {}) =>
    alice.api.createSchedule({ chat_id, text, when, ...more });
  const once = (text: string, ms: number, more: object = {}) => create(text, { at: at(ms) }, more);
  /** At this time of day, by UTC, in `ms`. */
  const each = (every: 'hour' | 'day', ms: number) => ({ every, at: at(ms).slice(11, 16), zone: 'UTC' });
  const get = async (id: string, who: Actor = alice) =>
    (await who.api.getSchedules({})).items.find((item) => item.id === id) ?? expect.fail('no such schedule');
  /** Sets the date forward, and lets what is due happen. */
  const jump = (ms: number) => {
    clock.step(ms);
    return made.pass(1_000);
  };
  return { ...made, create, once, each, get, jump };
}

/** A clock that stands a minute before a full hour. */
const clockOfStage = () => new ManualClock(Date.parse('2027-03-27T07:59:00Z'));

test('SCHED-1: createSchedule answers the schedule with its next times; a retry makes no second one', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat, chat_id, create, once, get } = await stage(world, clock);
  const bot = await botIn(world, alice, chat);
  const made = await create('report', daily, { agent_username: bot.username, client_msg_id: 'one' });
  expect(made).toEqual({
    id: expect.any(String),
    chat_id,
    agent_username: bot.username,
    text: 'report',
    when: daily,
    state: 'active',
    next_at: '2027-03-27T08:00:00.000Z',
    upcoming: [27, 28, 29, 30, 31].map((day) => `2027-03-${day}T0${day === 27 ? 8 : 7}:00:00.000Z`),
    created_at: new Date(clock.now()).toISOString(),
  });
  expect(await create('report', daily, { agent_username: bot.username, client_msg_id: 'one' })).toEqual(made);
  expect(await get(made.id)).toEqual(made);
  const single = await once('once', LATER_MS);
  expect(single).toMatchObject({ next_at: single.upcoming[0], upcoming: [expect.any(String)] });
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'c' });
  expect(await create('there', daily, { channel_id })).toMatchObject({ channel_id });
  for (const [wrong, field] of [
    [{ text: '' }, 'text'],
    [{ when: { at: new Date(clock.now()).toISOString() } }, 'when.at'],
    [{ when: { at: new Date(clock.now() + 400 * DAY_MS).toISOString() } }, 'when.at'],
    [{ agent_username: bob.username }, 'agent_username'],
    [{ agent_username: 'nobody:there' }, 'agent_username'],
  ] as const)
    await expect(create('x', daily, wrong)).rejects.toMatchObject({ status: 400, parameters: { field } });
  await expect(create('x'.repeat(32_769), daily)).rejects.toMatchObject({ status: 413 });
  for (const nowhere of [{ channel_id: unknownId }, { thread_root_id: unknownId }])
    await expect(create('x', daily, nowhere)).rejects.toMatchObject({ status: 404 });
});

test('SCHED-1: people alone have schedules; those of others do not exist', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, stranger, chat, chat_id, create } = await stage(world, clock);
  const bot = await botIn(world, alice, chat);
  const { id: schedule_id } = await create('mine', daily);
  await expect(stranger.api.createSchedule({ chat_id, text: 'x', when: daily })).rejects.toMatchObject({ status: 403 });
  await expect(alice.api.createSchedule({ chat_id: unknownId, text: 'x', when: daily })).rejects.toMatchObject({
    status: 404,
  });
  const calls = (who: Actor) => [
    () => who.api.pauseSchedule({ schedule_id, paused: true }),
    () => who.api.runSchedule({ schedule_id }),
    () => who.api.deleteSchedule({ schedule_id }),
  ];
  for (const call of calls(bob)) await expect(call()).rejects.toMatchObject({ status: 404 });
  for (const call of [
    ...calls(bot),
    () => bot.api.createSchedule({ chat_id, text: 'x', when: daily }),
    () => bot.api.previewSchedule({ when: daily }),
    () => bot.api.getSchedules({}),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403 });
  expect((await bob.api.getSchedules({})).items).toEqual([]);
});

test('SCHED-2, SCHED-5: previewSchedule answers the first times after a moment, stores nothing, and names the wrong field', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice } = await stage(world, clock);
  const preview = async (when: object, more: object = {}) => (await alice.api.previewSchedule({ when, ...more })).items;
  expect(await preview(daily)).toHaveLength(5);
  expect(await preview(daily, { count: 100 })).toHaveLength(100);
  expect(await preview(daily, { count: 1, from: '2028-01-01T00:00:00+01:00' })).toEqual(['2028-01-01T08:00:00.000Z']);
  expect(await preview({ every: 'hour', zone: 'UTC' }, { count: 1 })).toEqual(['2027-03-27T08:00:00.000Z']);
  const at = '2027-05-01T10:00:00.000Z';
  expect(await preview({ at })).toEqual([at]);
  expect(await preview({ at }, { from: at })).toEqual([]);
  for (const [when, field] of [
    [{}, 'when.at'],
    [{ at: 'tomorrow' }, 'when.at'],
    [{ at: '2027-02-30T10:00Z' }, 'when.at'],
    [{ at: '2027-05-01T10:00' }, 'when.at'],
    [{ at, zone: 'UTC' }, 'when.zone'],
    [{ ...daily, at: '24:00' }, 'when.at'],
    [{ ...daily, at }, 'when.at'],
    [{ ...daily, every: 'minute' }, 'when.every'],
    [{ ...daily, zone: undefined }, 'when.zone'],
    [{ ...daily, zone: 'Mars/Olympus' }, 'when.zone'],
    [{ ...daily, zone: '+01:00' }, 'when.zone'],
    [{ ...daily, zone: '2027-01-01T00:00[Europe/Berlin]' }, 'when.zone'],
    [{ ...daily, every: 'week' }, 'when.days'],
    [{ ...daily, every: 'week', days: [] }, 'when.days'],
    [{ ...daily, every: 'week', days: [8] }, 'when.days.0'],
    [{ ...daily, days: [1] }, 'when.days'],
    [{ ...daily, every: 'month', day_of_month: 32 }, 'when.day_of_month'],
    [{ ...daily, every: 'week', days: [1], day_of_month: 1 }, 'when.day_of_month'],
  ] as const)
    await expect(preview(when), JSON.stringify(when)).rejects.toMatchObject({ status: 400, parameters: { field } });
  for (const more of [{ count: 0 }, { count: 101 }, { from: 'yesterday' }])
    await expect(preview(daily, more)).rejects.toMatchObject({ status: 400 });
  expect((await alice.api.getSchedules({})).items).toEqual([]);
});

embeddedTest(dated)(
  'SCHED-6: getSchedules lists active ones, soonest first, paused ones, and for 30 days those that have ended',
  async () => {
    const clock = clockOfStage();
    await using world = await createWorld({ clock });
    const { alice, bob, chat_id, at, create, once, pass, jump } = await stage(world, clock);
    const { id: other } = await world.direct(alice, bob);
    const late = await create('late', { ...daily, at: '10:00' });
    const [first, second] = [await once('first', LATER_MS / 2), await once('second', LATER_MS)];
    await pass(LATER_MS);
    const soon = await alice.api.createSchedule({ chat_id: other, text: 'soon', when: { at: at(LATER_MS) } });
    const held = await once('held', LATER_MS / 2);
    await alice.api.pauseSchedule({ schedule_id: held.id, paused: true });
    const ids = async (chat?: string) => (await alice.api.getSchedules({ chat_id: chat })).items.map(({ id }) => id);
    expect(await ids()).toEqual([soon.id, late.id, held.id, second.id, first.id]);
    expect(await ids(other)).toEqual([soon.id]);
    const eve = await world.member();
    const { id: foreign } = await world.direct(bob, eve);
    await expect(ids(foreign)).rejects.toMatchObject({ status: 403 });
    for (const { id } of [late, soon]) await alice.api.deleteSchedule({ schedule_id: id });
    await jump(31 * DAY_MS);
    expect(await ids()).toEqual([held.id]);
    expect(await world.sql('SELECT key FROM scheduled')).toHaveLength(1);
    await expect(alice.api.deleteSchedule({ schedule_id: first.id })).rejects.toMatchObject({ status: 404 });
    expect(await textsIn(bob, chat_id)).toEqual(['first', 'second']);
    expect(await faultsIn(world)).toEqual([]);
  },
);

test('SCHED-7: a person has at most 50 schedules that have not ended, and the newest 100 that have', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, once, create, pass } = await stage(world, clock);
  for (let round = 0; round < 3; round += 1) {
    for (let made = 0; made < 40; made += 1) await once(`of round ${round}`, LATER_MS);
    await pass(LATER_MS);
  }
  const { items } = await alice.api.getSchedules({});
  expect(items.map(({ text }) => text)).toEqual([
    ...Array.from({ length: 40 }, () => 'of round 2'),
    ...Array.from({ length: 40 }, () => 'of round 1'),
    ...Array.from({ length: 20 }, () => 'of round 0'),
  ]);
  const made = await Promise.allSettled(Array.from({ length: 60 }, () => create('x'.repeat(32 * 1024), daily)));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  for (const one of made)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 400, parameters: { field: 'when' } });
  await bob.api.createSchedule({ chat_id, text: 'of bob', when: daily });
  const [one] = (await alice.api.getSchedules({})).items;
  // A paused one counts.
  await alice.api.pauseSchedule({ schedule_id: one?.id ?? '', paused: true });
  await expect(create('x', daily)).rejects.toMatchObject({ status: 400 });
  await alice.api.deleteSchedule({ schedule_id: one?.id ?? '' });
  await create('x', daily);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHED-8: at its time there is a message of its creator with schedule_id, which fires the agent named and no other', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat, chat_id, once, get, pass } = await stage(world, clock);
  const [named, other] = [await botIn(world, alice, chat), await botIn(world, bob, chat)];
  const { id: thread_root_id } = await bob.api.sendMessage({ chat_id, text: 'a root' });
  const made = await once(`for @bob and @${other.username}`, LATER_MS, { agent_username: named.username });
  await once(`for @${other.username}`, LATER_MS, { thread_root_id });
  await once('for nobody', LATER_MS);
  await checkReplay(world, [alice, bob], () => pass(LATER_MS));
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items).toMatchObject([
    { content: 'a root' },
    {
      sender: { username: 'alice' },
      schedule_id: made.id,
      mentions: ['bob', other.username],
      dispatch: [named.username],
    },
    { content: 'for nobody', dispatch: [] },
  ]);
  const thread = (await bob.api.getChatHistory({ chat_id, thread_root_id })).items;
  expect(thread).toMatchObject([{ dispatch: [other.username], thread_root_id }]);
  const ended = await get(made.id);
  expect(ended).toMatchObject({ state: 'ended', upcoming: [], last: { message_id: items[1]?.id } });
  expect(ended).not.toHaveProperty('next_at');
  const { agent, chat: own } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['the report'] });
  await alice.api.createSchedule({
    chat_id: own.id,
    agent_username: agent.username,
    text: 'report',
    when: { at: new Date(clock.now() + LATER_MS).toISOString() },
  });
  await pass(LATER_MS);
  await world.turnsEnded();
  expect(await textsIn(alice, own.id)).toEqual(['report', 'the report']);
});

test('SCHED-8: a copy of its message has no schedule_id', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, once, pass } = await stage(world, clock);
  await once('again', LATER_MS);
  await pass(LATER_MS);
  const [message] = (await bob.api.getChatHistory({ chat_id })).items;
  const { id: to } = await world.direct(alice, bob);
  await bob.api.forwardMessages({ message_ids: [message?.id ?? ''], to_chat_id: to });
  expect((await alice.api.getChatHistory({ chat_id: to })).items).toMatchObject([{ content: 'again' }]);
  expect((await alice.api.getChatHistory({ chat_id: to })).items[0]).not.toHaveProperty('schedule_id');
});

embeddedTest(dated)(
  'SCHED-8, ALERT-8: a creator who has left ends it; any other refusal pauses it; both are alerted',
  async () => {
    const clock = clockOfStage();
    await using world = await createWorld({ clock });
    const { alice, bob, chat, chat_id, create, each, get, pass, jump } = await stage(world, clock);
    const bot = await botIn(world, alice, chat);
    const direct = await world.direct(bob, alice);
    const when = each('hour', LATER_MS);
    const left = await bob.api.createSchedule({ chat_id, text: 'as a member', when });
    const blocked = await bob.api.createSchedule({ chat_id: direct.id, text: 'to alice', when });
    const without = await create('for the bot', when, { agent_username: bot.username });
    await alice.api.blockUser({ username: 'bob' });
    await alice.api.removeMember({ chat_id, username: 'bob' });
    await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
    const [ofBob, ofAlice] = [await bob.socket('ext'), await alice.socket('ext')];
    await pass(LATER_MS);
    const notIn = { code: 'forbidden', message: 'you do not take part in this conversation' };
    const mayNot = { code: 'forbidden', message: 'you may not write to this account' };
    expect(await get(left.id, bob)).toMatchObject({ state: 'ended', upcoming: [], last: { error: notIn } });
    expect(await get(blocked.id, bob)).toMatchObject({ state: 'paused', upcoming: [], last: { error: mayNot } });
    expect(await get(without.id)).toMatchObject({ state: 'paused', last: { error: { code: 'invalid_argument' } } });
    expect(ofBob.all('alert').map(({ cause }) => cause)).toEqual([
      { kind: 'schedule_failed', state: 'ended', ...notIn },
      { kind: 'schedule_failed', state: 'paused', ...mayNot },
    ]);
    expect(ofAlice.all('alert')).toMatchObject([{ level: 'error', cause: { state: 'paused' } }]);
    await jump(2 * HOUR_MS);
    expect(ofBob.all('alert')).toHaveLength(2);
    await alice.api.unblockUser({ username: 'bob' });
    expect(await bob.api.pauseSchedule({ schedule_id: blocked.id, paused: false })).toMatchObject({ state: 'active' });
    await jump(HOUR_MS);
    expect(await textsIn(alice, direct.id)).toEqual(['to alice']);
    expect(await textsIn(alice, chat_id)).toEqual([]);
  },
);

test('SCHED-8: an agent whose owner has blocked the creator is not asked: the schedule pauses', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat, chat_id, once, get, pass } = await stage(world, clock);
  const bot = await botIn(world, bob, chat);
  const made = await once('for the bot', LATER_MS, { agent_username: bot.username });
  await bob.api.blockUser({ username: 'alice' });
  await pass(LATER_MS);
  expect(await get(made.id)).toMatchObject({ state: 'paused', last: { error: { code: 'forbidden' } } });
  expect(await textsIn(alice, chat_id)).toEqual([]);
});

embeddedTest(dated)('SCHED-8: the schedule of a disabled account does not run', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { bob, chat_id, create, each, get, jump } = await stage(world, clock);
  const disable = (isDisabled: boolean) =>
    world.service.units.run('switchAccount', theService, { username: 'alice', isDisabled }, clock.now());
  const { id } = await create('from alice', each('hour', LATER_MS));
  await disable(true);
  await jump(2 * HOUR_MS);
  expect(await textsIn(bob, chat_id)).toEqual([]);
  await disable(false);
  expect(await get(id)).toMatchObject({ state: 'paused', last: { error: { message: 'your account was disabled' } } });
});

embeddedTest(dated)(
  'SCHED-9: it runs once at each time, also after crashes, and what was missed runs once',
  async () => {
    const clock = clockOfStage();
    await using world = await createWorld({ clock });
    const { bob, chat_id, create, each, get, pass } = await stage(world, clock);
    const { id, next_at } = await create('hourly', each('hour', LATER_MS));
    await pass(LATER_MS);
    await world.crash();
    await pass(LATER_MS);
    expect(await textsIn(bob, chat_id)).toEqual(['hourly']);
    const next = Date.parse(next_at ?? '');
    expect(await get(id)).toMatchObject({ next_at: new Date(next + HOUR_MS).toISOString() });
    // The service is away while three times pass.
    await world.crash();
    clock.step(3 * HOUR_MS);
    await pass(LATER_MS);
    expect(await textsIn(bob, chat_id)).toEqual(['hourly', 'hourly']);
    expect(await get(id)).toMatchObject({ next_at: new Date(next + 4 * HOUR_MS).toISOString() });
  },
);

test('SCHED-9: a service that crashes between two schedules that are due runs each once', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { bob, chat_id, once, pass } = await stage(world, clock);
  const texts = ['first', 'second', 'third'];
  for (const text of texts) await once(text, LATER_MS);
  const crashed = Promise.withResolvers<void>();
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = async (name, ...input) => {
      const result = await run(name, ...input);
      if (name === 'runDue') crashed.resolve(world.crash());
      return result;
    };
  }
  await clock.advance(LATER_MS + 1_000);
  await crashed.promise;
  await pass(1_000);
  expect(await textsIn(bob, chat_id)).toEqual(texts);
});

describeCluster('on several nodes', () => {
  test('SCHED-9: two nodes that run the same schedules at once run each once', async () => {
    const clock = clockOfStage();
    await using world = await createWorld({ clock, nodes: 2 });
    const { alice, bob, chat_id, create, each } = await stage(world, clock);
    const texts = Array.from({ length: 8 }, (_, at) => `message ${at}`);
    for (const text of texts) await create(text, each('hour', LATER_MS));
    const rows = await world.sql<{ key: number; account_key: number }>('SELECT key, account_key FROM scheduled');
    const author = await world.withSql(async (sql) => sql.get(accountByName, alice.username));
    if (!author) throw new Error('alice is unknown');
    const caller = callerOf(author);
    await Promise.all(
      world.services.flatMap(({ units }) =>
        rows.map(({ key, account_key: accountKey }) =>
          units.run('runDue', caller, { key, accountKey, chat_id }, clock.now() + 2 * LATER_MS),
        ),
      ),
    );
    expect((await textsIn(bob, chat_id)).toSorted()).toEqual(texts.toSorted());
  });
});

embeddedTest(dated)(
  'SCHED-10: times that pass while it is paused are passed over; one without a time left ends',
  async () => {
    const clock = clockOfStage();
    await using world = await createWorld({ clock });
    const { alice, bob, chat_id, create, once, each, pass, jump } = await stage(world, clock);
    const [again, single] = [await create('hourly', each('hour', LATER_MS)), await once('once', LATER_MS)];
    const pause = (id: string, paused: boolean) => alice.api.pauseSchedule({ schedule_id: id, paused });
    for (const { id } of [again, single]) {
      const paused = await pause(id, true);
      expect(paused).toMatchObject({ state: 'paused', upcoming: [] });
      expect(await pause(id, true)).toEqual(paused);
    }
    await jump(2 * HOUR_MS);
    expect(await pause(again.id, false)).toMatchObject({
      state: 'active',
      next_at: new Date(Date.parse(again.next_at ?? '') + 2 * HOUR_MS).toISOString(),
    });
    expect(await pause(single.id, false)).toMatchObject({ state: 'ended' });
    await pass(2_000);
    expect(await textsIn(bob, chat_id)).toEqual([]);
    await jump(HOUR_MS);
    expect(await textsIn(bob, chat_id)).toEqual(['hourly']);
  },
);

test('SCHED-11: runSchedule sends the message once more, and the next time stays; a refusal changes nothing', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat, chat_id, create, pass } = await stage(world, clock);
  const bot = await botIn(world, alice, chat);
  const made = await create('report', daily, { agent_username: bot.username });
  const ran = await alice.api.runSchedule({ schedule_id: made.id });
  const { items } = await bob.api.getChatHistory({ chat_id });
  expect(items).toMatchObject([{ content: 'report', schedule_id: made.id, dispatch: [bot.username] }]);
  expect(ran).toEqual({ ...made, last: { at: expect.any(String), message_id: items[0]?.id } });
  await alice.api.pauseSchedule({ schedule_id: made.id, paused: true });
  expect(await alice.api.runSchedule({ schedule_id: made.id })).toMatchObject({ state: 'paused' });
  await alice.api.removeGroupAgent({ chat_id, agent_username: bot.username });
  await expect(alice.api.runSchedule({ schedule_id: made.id })).rejects.toMatchObject({ status: 400 });
  expect((await alice.api.getSchedules({})).items).toMatchObject([
    { state: 'paused', last: { message_id: expect.any(String) } },
  ]);
  await alice.api.deleteSchedule({ schedule_id: made.id });
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual(['report', 'report']);
});

embeddedTest(dated)('SCHED-12: schedules are deleted with their account and with a separate chat', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, jump } = await stage(world, clock);
  const zora = await world.member('zora');
  await alice.api.addMembers({ chat_id, usernames: ['zora'] });
  const when = { every: 'hour', zone: 'UTC' } as const;
  await zora.api.createSchedule({ chat_id, text: 'of zora', when });
  await zora.api.deleteAccount({ password: 'correct horse battery staple' });
  const { agent } = await agentChat(world, alice);
  const { id: separate } = await alice.api.startChat({ username: agent.username, new: true });
  await alice.api.createSchedule({ chat_id: separate, text: 'to the agent', when });
  await alice.api.deleteChat({ chat_id: separate });
  await jump(2 * HOUR_MS);
  expect(await textsIn(bob, chat_id)).toEqual([]);
  expect(await world.sql('SELECT key FROM scheduled')).toEqual([]);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHED-13: after each change the account’s own sockets with ext receive scheduledChanged', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, create, pass } = await stage(world, clock);
  const sockets = [await alice.socket('ext'), await alice.socket(), await bob.socket('ext')];
  const { id: schedule_id } = await create('secret', { every: 'hour', zone: 'UTC' });
  await pass(LATER_MS);
  await alice.api.runSchedule({ schedule_id });
  await alice.api.pauseSchedule({ schedule_id, paused: true });
  await alice.api.deleteSchedule({ schedule_id });
  await pass(1_000);
  const changed = { conversation_id: chat_id };
  expect(sockets.map((socket) => socket.all('scheduledChanged'))).toEqual([
    Array.from({ length: 5 }, () => changed),
    [],
    [],
  ]);
});

embeddedTest(dated)('SCHED-9: a clock that is set back and forth repeats nothing', async () => {
  const clock = clockOfStage();
  await using world = await createWorld({ clock });
  const { bob, chat_id, create, each, get, jump } = await stage(world, clock);
  const { id, next_at } = await create('hourly', each('hour', LATER_MS));
  const next = Date.parse(next_at ?? '');
  await jump(LATER_MS);
  for (const ms of [-HOUR_MS, HOUR_MS, -2 * DAY_MS, 2 * DAY_MS]) await jump(ms);
  expect(await textsIn(bob, chat_id)).toEqual(['hourly']);
  expect(await get(id)).toMatchObject({ next_at: new Date(next + HOUR_MS).toISOString() });
  await jump(HOUR_MS);
  expect(await textsIn(bob, chat_id)).toEqual(['hourly', 'hourly']);
});
