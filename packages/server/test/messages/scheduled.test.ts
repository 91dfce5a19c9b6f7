import { callerOf } from '@parley/server/agents/caller-of.ts';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { accountByName } from '@parley/server/store/accounts.ts';
import { type Actor, checkReplay, createWorld, ManualClock, unknownId, type World } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { agentChat, botIn } from '../helpers/agents.ts';
import { statusFor, upload } from '../helpers/file-stage.ts';
import { faultsIn, LATER_MS, scene, textsIn } from '../helpers/scheduled-stage.ts';

const listOf = async (actor: Actor, chat_id?: string) => (await actor.api.getScheduledMessages({ chat_id })).items;

const bytesOf = async (world: World): Promise<number> => {
  const [row] = await world.sql<{ bytes: number | string }>('SELECT sum(bytes) AS bytes FROM stored_bytes');
  return Number(row?.bytes ?? 0);
};

test('SCHEDULE-1: scheduleMessage stores a message for later, within a year, after the checks of sendMessage', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, stranger, chat, chat_id, at, schedule } = await scene(world, clock);
  await alice.api.saveDraft({ chat_id, text: 'good morn' });
  const { id: quoted } = await bob.api.sendMessage({ chat_id, text: 'a question' });
  const made = await schedule('good morning', LATER_MS, { reply_to_message_id: quoted, clear_draft: 'timeline' });
  expect(made).toEqual({
    id: expect.any(String),
    chat_id,
    text: 'good morning',
    reply_to_message_id: quoted,
    attachments: [],
    send_at: at(LATER_MS),
    created_at: at(0),
  });
  expect(await listOf(alice)).toEqual([made]);
  expect((await alice.api.getDrafts()).items).toEqual([]);
  for (const ms of [-1_000, 0, 400 * 86_400_000])
    await expect(schedule('x', ms)).rejects.toMatchObject({ status: 400, parameters: { field: 'send_at' } });
  for (const wrong of [{ send_at: 'tomorrow' }, { text: '' }])
    await expect(schedule('x', LATER_MS, wrong)).rejects.toMatchObject({ status: 400 });
  for (const nowhere of [{ channel_id: unknownId }, { thread_root_id: unknownId }, { reply_to_message_id: unknownId }])
    await expect(schedule('x', LATER_MS, nowhere)).rejects.toMatchObject({ status: 404 });
  const bot = await botIn(world, alice, chat);
  for (const who of [bot, stranger])
    await expect(who.api.scheduleMessage({ chat_id, text: 'x', send_at: at(LATER_MS) })).rejects.toMatchObject({
      status: 403,
    });
});

test('SCHEDULE-2: a retry returns the scheduled message, and is 409 once it is sent', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, chat_id, schedule, pass } = await scene(world, clock);
  const once = { client_msg_id: 'once' };
  const made = await schedule('later', LATER_MS, once);
  expect(await schedule('later', LATER_MS, once)).toEqual(made);
  expect(await listOf(alice)).toHaveLength(1);
  await pass(LATER_MS);
  expect((await alice.api.getChatHistory({ chat_id })).items).toMatchObject([{ content: 'later', ...once }]);
  await expect(schedule('later', LATER_MS, once)).rejects.toMatchObject({ status: 409 });
});

test('SCHEDULE-3: an account schedules at most 100 messages of 2 MiB, which count towards its storage', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, schedule, pass } = await scene(world, clock);
  const before = await bytesOf(world);
  const text = 'x'.repeat(32 * 1024);
  for (let count = 0; count < 63; count += 1) await schedule(text, LATER_MS);
  await expect(schedule(text, LATER_MS)).rejects.toMatchObject({ status: 413 });
  expect(await bytesOf(world)).toBeGreaterThan(before + 63 * 32 * 1024);
  for (const { id } of await listOf(alice)) await alice.api.cancelScheduledMessage({ chat_id, scheduled_id: id });
  expect(await bytesOf(world)).toBe(before);
  for (let count = 0; count < 100; count += 1) await schedule('short', LATER_MS + count);
  await expect(schedule('short', LATER_MS)).rejects.toMatchObject({ status: 400 });
  await bob.api.scheduleMessage({ chat_id, text: 'of bob', send_at: at(LATER_MS) });
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toHaveLength(50);
  expect(await listOf(alice)).toEqual([]);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHEDULE-4: the author lists, edits, cancels and sends them; for others they do not exist', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, schedule, pass } = await scene(world, clock);
  const { id: other } = await world.direct(alice, bob);
  const [late, soon, now] = [
    await schedule('late', 2 * LATER_MS),
    await schedule('soon', LATER_MS),
    await schedule('now', LATER_MS),
  ];
  const elsewhere = await alice.api.scheduleMessage({ chat_id: other, text: 'elsewhere', send_at: at(LATER_MS) });
  expect(await listOf(alice, chat_id)).toEqual([soon, now, late]);
  expect(await listOf(alice)).toEqual([soon, now, elsewhere, late]);
  expect(await listOf(bob)).toEqual([]);
  const of = ({ id }: { id: string }) => ({ chat_id, scheduled_id: id });
  for (const call of [
    () => bob.api.editScheduledMessage({ ...of(late), text: 'of bob' }),
    () => bob.api.cancelScheduledMessage(of(late)),
    () => bob.api.sendScheduledMessage(of(late)),
    () => alice.api.cancelScheduledMessage({ ...of(late), chat_id: other }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 });
  await expect(alice.api.editScheduledMessage({ ...of(soon), text: '' })).rejects.toMatchObject({ status: 400 });
  const edited = await alice.api.editScheduledMessage({ ...of(late), text: 'sooner', send_at: at(LATER_MS / 2) });
  expect(edited).toEqual({ ...late, text: 'sooner', send_at: at(LATER_MS / 2) });
  await alice.api.cancelScheduledMessage(of(soon));
  expect(await alice.api.sendScheduledMessage(of(now))).toMatchObject({
    content: 'now',
    sender: { username: 'alice' },
  });
  await expect(alice.api.sendScheduledMessage(of(now))).rejects.toMatchObject({ status: 404 });
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual(['now', 'sooner']);
});

test('SCHEDULE-5: a message that is due is sent once, in order, and fires agents, also after a crash', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat, chat_id, at, schedule, pass } = await scene(world, clock);
  const bot = await botIn(world, alice, chat);
  const bobs = await bob.socket('ext');
  const { id: root } = await bob.api.sendMessage({ chat_id, text: 'a root' });
  await schedule('third', LATER_MS + 2);
  await schedule(`@${bot.username} first`, LATER_MS, { thread_root_id: root });
  await schedule('second', LATER_MS + 1);
  await pass(LATER_MS / 2);
  expect(bobs.all('messageNew')).toHaveLength(1);
  await world.crash();
  await checkReplay(world, [alice, bob], () => pass(LATER_MS));
  const history = await alice.api.getChatHistory({ chat_id });
  expect(history.items.map(({ content }) => content)).toEqual(['a root', 'second', 'third']);
  const thread = await alice.api.getChatHistory({ chat_id, thread_root_id: root });
  expect(thread.items).toMatchObject([{ sender: { username: 'alice' }, dispatch: [bot.username] }]);
  await world.crash();
  await pass(LATER_MS);
  expect((await alice.api.getChatHistory({ chat_id })).items).toHaveLength(3);
  const { agent, chat: own } = await agentChat(world, alice);
  world.providers.script(agent.key, { chunks: ['Good morning.'] });
  await alice.api.scheduleMessage({ chat_id: own.id, text: 'wake up', send_at: at(LATER_MS) });
  await pass(LATER_MS);
  await world.turnsEnded();
  expect(await textsIn(alice, own.id)).toEqual(['wake up', 'Good morning.']);
});

test('SCHEDULE-5: a service that crashes between two messages that are due sends each once', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, schedule, pass } = await scene(world, clock);
  const texts = ['first', 'second', 'third'];
  for (const text of texts) await schedule(text, LATER_MS);
  const crashed = Promise.withResolvers<void>();
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = async (name, ...input) => {
      const result = await run(name, ...input);
      if (name === 'sendDue') crashed.resolve(world.crash());
      return result;
    };
  }
  await clock.advance(LATER_MS + 1_000);
  await crashed.promise;
  await pass(1_000);
  expect(await textsIn(bob, chat_id)).toEqual(texts);
});

test('SCHEDULE-5: a fault with the message of one person neither stops nor repeats those of others', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, expectsErrors: true });
  const { alice, bob, chat_id, at, schedule, pass } = await scene(world, clock);
  await schedule('from alice', LATER_MS);
  await bob.api.scheduleMessage({ chat_id, text: 'from bob', send_at: at(LATER_MS) });
  const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const callers: string[] = [];
  for (const { units } of world.services) {
    const run = units.run.bind(units);
    units.run = async (name, caller, ...input) => {
      if (name === 'sendDue') {
        callers.push(caller.username);
        if (caller.username === alice.username && callers.length <= 2) throw new Error('a fault');
        if (caller.username === bob.username) {
          reached.resolve();
          await held.promise;
        }
      }
      return run(name, caller, ...input);
    };
  }
  await clock.advance(LATER_MS + 1_000);
  await reached.promise;
  await pass(1_000);
  expect(callers).toEqual([alice.username, bob.username]);
  held.resolve();
  await pass(1_000);
  expect(callers).toEqual([alice.username, bob.username, alice.username]);
  expect((await textsIn(bob, chat_id)).toSorted()).toEqual(['from alice', 'from bob']);
});

test('SCHEDULE-5: what is due for one account is not sent as another', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { bob, chat_id, schedule } = await scene(world, clock);
  await schedule('from alice', LATER_MS);
  const [row] = await world.sql<{ key: number }>('SELECT key FROM scheduled');
  const other = await world.withSql(async (sql) => sql.get(accountByName, bob.username));
  if (!row || !other) throw new Error('bob is unknown');
  const due = { key: row.key, accountKey: other.key, chat_id };
  await world.service.units.run('sendDue', callerOf(other), due, clock.now() + LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual([]);
});

describeCluster('on several nodes', () => {
  test('SCHEDULE-5: two nodes and the author that send the same messages at once send each once', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock, nodes: 2 });
    const { alice, bob, chat_id, schedule } = await scene(world, clock);
    const texts = Array.from({ length: 8 }, (_, at) => `message ${at}`);
    const ids: string[] = [];
    for (const text of texts) ids.push((await schedule(text, LATER_MS)).id);
    const rows = await world.sql<{ key: number; account_key: number }>('SELECT key, account_key FROM scheduled');
    const author = await world.withSql(async (sql) => sql.get(accountByName, alice.username));
    if (!author) throw new Error('alice is unknown');
    const caller = callerOf(author);
    const byNodes = world.services.flatMap(({ units }) =>
      rows.map(({ key, account_key: accountKey }) =>
        units.run('sendDue', caller, { key, accountKey, chat_id }, clock.now() + LATER_MS),
      ),
    );
    const byAuthor = Promise.allSettled(
      ids.map((scheduled_id) => alice.api.sendScheduledMessage({ chat_id, scheduled_id })),
    );
    await Promise.all(byNodes);
    for (const result of await byAuthor)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 404 });
    expect((await textsIn(bob, chat_id)).toSorted()).toEqual(texts.toSorted());
    expect(await listOf(alice)).toEqual([]);
  });
});

test('SCHEDULE-6, ALERT-8: a message that may not be sent stays as failed, its author is alerted, and an edit tries again', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, schedule, pass } = await scene(world, clock);
  const direct = await world.direct(bob, alice);
  const { id: root } = await bob.api.sendMessage({ chat_id, text: 'a root' });
  await bob.api.scheduleMessage({ chat_id, text: 'as a member', send_at: at(LATER_MS) });
  await bob.api.scheduleMessage({ chat_id: direct.id, text: 'to alice', send_at: at(LATER_MS) });
  await schedule('in a thread', LATER_MS, { thread_root_id: root });
  await alice.api.blockUser({ username: 'bob' });
  await alice.api.removeMember({ chat_id, username: 'bob' });
  await alice.api.deleteMessages({ message_ids: [root] });
  const [ofBob, ofAlice] = [await bob.socket('ext'), await alice.socket('ext')];
  await pass(LATER_MS);
  expect(await listOf(bob)).toMatchObject([
    { text: 'as a member', failed: { code: 'forbidden', message: 'you do not take part in this conversation' } },
    { text: 'to alice', failed: { code: 'forbidden', message: 'you may not write to this account' } },
  ]);
  expect(await listOf(alice)).toMatchObject([
    { text: 'in a thread', failed: { code: 'not_found', message: 'not found: thread root' } },
  ]);
  const cause = { kind: 'scheduled_failed', code: 'forbidden' };
  expect(ofBob.all('alert')).toMatchObject([
    { level: 'error', cause: { ...cause, message: 'you do not take part in this conversation' } },
    { level: 'error', cause: { ...cause, message: 'you may not write to this account' } },
  ]);
  expect(ofAlice.all('alert')).toHaveLength(1);
  expect(ofAlice.all('messageNew')).toEqual([]);
  await pass(LATER_MS);
  expect(ofBob.all('alert')).toHaveLength(2);
  await alice.api.unblockUser({ username: 'bob' });
  const [, failed] = await listOf(bob);
  const place = { chat_id: direct.id, scheduled_id: failed?.id ?? '' };
  const again = await bob.api.editScheduledMessage({ ...place, send_at: at(LATER_MS) });
  expect(again).not.toHaveProperty('failed');
  await pass(LATER_MS);
  expect(await textsIn(alice, direct.id)).toEqual(['to alice']);
});

test('SCHEDULE-6: the message of a disabled account is not sent, also after a restart', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, schedule, pass } = await scene(world, clock);
  const disable = (isDisabled: boolean) =>
    world.service.units.run('switchAccount', theService, { username: 'alice', isDisabled }, clock.now());
  await schedule('from alice', LATER_MS);
  await disable(true);
  await world.restart();
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual([]);
  await disable(false);
  expect(await listOf(alice)).toMatchObject([
    { text: 'from alice', failed: { code: 'forbidden', message: 'your account was disabled' } },
  ]);
});

test('SCHEDULE-7: a file of a scheduled message is kept until the message is sent or cancelled', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, settings: { unusedFileMs: 60_000 } });
  const { alice, bob, chat_id, schedule, pass } = await scene(world, clock);
  const [sent, cancelled] = [await upload(alice, 'sent later'), await upload(alice, 'never sent')];
  await schedule('', 3 * LATER_MS, { attachments: [{ id: sent.id }] });
  const { id } = await schedule('', 3 * LATER_MS, { attachments: [{ id: cancelled.id }] });
  await pass(2 * LATER_MS);
  expect(await statusFor(world, alice, sent)).toBe(200);
  expect(await statusFor(world, bob, sent)).toBe(404);
  await alice.api.cancelScheduledMessage({ chat_id, scheduled_id: id });
  expect(await statusFor(world, alice, cancelled)).toBe(404);
  await pass(2 * LATER_MS);
  expect((await bob.api.getChatHistory({ chat_id })).items).toMatchObject([{ attachments: [{ id: sent.id }] }]);
  expect(await statusFor(world, bob, sent)).toBe(200);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHEDULE-8: what is due while the disk is full is sent when there is room', async () => {
  const clock = new ManualClock();
  const env: Record<string, string> = {};
  await using world = await createWorld({ clock, env });
  const { bob, chat_id, schedule, pass } = await scene(world, clock);
  await schedule('later', LATER_MS);
  // More than any disk has.
  env['MIN_FREE_BYTES'] = '900000000000000';
  await world.restart();
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual([]);
  delete env['MIN_FREE_BYTES'];
  await world.restart();
  await pass(1_000);
  expect(await textsIn(bob, chat_id)).toEqual(['later']);
});

test('SCHEDULE-9: what is scheduled is deleted with its account and with a separate chat', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, pass } = await scene(world, clock);
  const zora = await world.member('zora');
  await alice.api.addMembers({ chat_id, usernames: ['zora'] });
  const { id } = await bob.api.sendMessage({ chat_id, text: 'remember' });
  const file = await upload(zora, 'a file');
  await zora.api.scheduleMessage({ chat_id, text: 'of zora', send_at: at(LATER_MS), attachments: [{ id: file.id }] });
  await zora.api.remindMe({ message_id: id, remind_at: at(LATER_MS) });
  await zora.api.deleteAccount({ password: 'correct horse battery staple' });
  const { agent } = await agentChat(world, alice);
  const { id: separate } = await alice.api.startChat({ username: agent.username, new: true });
  await alice.api.scheduleMessage({ chat_id: separate, text: 'to the agent', send_at: at(LATER_MS) });
  await alice.api.deleteChat({ chat_id: separate });
  expect(await listOf(alice)).toEqual([]);
  await pass(LATER_MS);
  expect(await textsIn(bob, chat_id)).toEqual(['remember']);
  expect(await world.sql('SELECT key FROM scheduled')).toEqual([]);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHEDULE-10: only the account’s own sockets with ext receive that something changed, without its text', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, schedule, pass } = await scene(world, clock);
  const sockets = [await alice.socket('ext'), await alice.socket(), await bob.socket('ext')];
  const { id } = await schedule('secret', LATER_MS);
  await alice.api.editScheduledMessage({ chat_id, scheduled_id: id, text: 'another secret' });
  await alice.api.cancelScheduledMessage({ chat_id, scheduled_id: id });
  await schedule('sent', LATER_MS);
  await pass(LATER_MS);
  const changed = { conversation_id: chat_id };
  expect(sockets.map((socket) => socket.all('scheduledChanged'))).toEqual([
    Array.from({ length: 5 }, () => changed),
    [],
    [],
  ]);
  const stored = await world.sql<{ params: string | null }>('SELECT params FROM events');
  expect(stored.filter(({ params }) => params?.includes('secret'))).toEqual([]);
});
