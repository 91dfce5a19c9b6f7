import { type Actor, checkReplay, createWorld, ManualClock, unknownId } from '@parley/testing';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { faultsIn, LATER_MS, scene, textsIn } from '../helpers/scheduled-stage.ts';

test('SCHEDULE-20: people are reminded of messages that they can see, once for each', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, stranger, chat, chat_id, at } = await scene(world, clock);
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'remember' });
  const made = await alice.api.remindMe({ message_id, remind_at: at(LATER_MS) });
  expect(made).toEqual({
    id: expect.any(String),
    chat_id,
    message_id,
    remind_at: at(LATER_MS),
    created_at: at(0),
  });
  const replaced = await alice.api.remindMe({ message_id, remind_at: at(2 * LATER_MS) });
  expect(replaced).toEqual({ ...made, remind_at: at(2 * LATER_MS) });
  const remindersOf = async (actor: Actor) => (await actor.api.getReminders()).items;
  expect([await remindersOf(alice), await remindersOf(bob)]).toEqual([[replaced], []]);
  const bot = await botIn(world, alice, chat);
  const remind = (who: Actor, more: object = {}) => who.api.remindMe({ message_id, remind_at: at(LATER_MS), ...more });
  await expect(remind(bot)).rejects.toMatchObject({ status: 403 });
  await expect(remind(stranger)).rejects.toMatchObject({ status: 404 });
  await expect(remind(alice, { message_id: unknownId })).rejects.toMatchObject({ status: 404 });
  await expect(remind(alice, { remind_at: at(0) })).rejects.toMatchObject({ status: 400 });
  await expect(bob.api.cancelReminder({ reminder_id: made.id })).rejects.toMatchObject({ status: 404 });
  await alice.api.cancelReminder({ reminder_id: made.id });
  expect(await remindersOf(alice)).toEqual([]);
  for (let count = 0; count < 100; count += 1) {
    const { id } = await bob.api.sendMessage({ chat_id, text: `${count}` });
    await remind(alice, { message_id: id });
  }
  await expect(remind(alice)).rejects.toMatchObject({ status: 400 });
});

test('SCHEDULE-21: when a reminder is due, the guide sends a message that leads to the other one', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, pass } = await scene(world, clock);
  const { id: root } = await bob.api.sendMessage({ chat_id, text: 'a root' });
  const place = { chat_id, thread_root_id: root };
  const { id: message_id } = await bob.api.sendMessage({ ...place, text: 'a secret' });
  await alice.api.remindMe({ message_id, remind_at: at(LATER_MS) });
  await checkReplay(world, [alice, bob], () => pass(LATER_MS));
  const { items } = await alice.api.getChats();
  expect(items[0]).toMatchObject({
    unread_count: 1,
    last_message: {
      sender: { username: 'parley:guide' },
      reminder_of: { ...place, channel_id: null, message_id, sender: 'bob' },
    },
  });
  expect(items[0]?.last_message?.content).not.toContain('secret');
  expect((await alice.api.getReminders()).items).toEqual([]);
  await world.crash();
  await pass(LATER_MS);
  expect(await textsIn(alice, items[0]?.id ?? '')).toHaveLength(1);
  expect(await faultsIn(world)).toEqual([]);
});

test('SCHEDULE-21, ALERT-8: a reminder that cannot be sent is deleted, and its account is alerted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, pass } = await scene(world, clock);
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'remember' });
  await alice.api.remindMe({ message_id, remind_at: at(LATER_MS) });
  // The guide's storage is full.
  await world.sql(
    `INSERT INTO stored_bytes (owner_key, bytes)
     SELECT COALESCE(parent_key, key), 1000000000000 FROM accounts WHERE username = 'parley:guide'
     ON CONFLICT (owner_key) DO UPDATE SET bytes = excluded.bytes`,
  );
  const socket = await alice.socket('ext');
  await checkReplay(world, [alice, bob], () => pass(LATER_MS));
  expect(socket.all('alert')).toMatchObject([
    { title: 'A reminder could not be sent', level: 'error', cause: { kind: 'reminder_failed', code: 'too_large' } },
  ]);
  expect(socket.all('scheduledChanged')).toEqual([{ conversation_id: chat_id }]);
  expect((await alice.api.getReminders()).items).toEqual([]);
  expect(await world.sql('SELECT key FROM scheduled')).toEqual([]);
});

test('SCHEDULE-22: a reminder of a message that the account cannot see any more is neither returned nor sent', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at, pass } = await scene(world, clock);
  const [deleted, hidden, left] = await Promise.all(
    ['deleted', 'hidden', 'left'].map((text) => alice.api.sendMessage({ chat_id, text })),
  );
  const ids = [deleted, hidden, left].map((message) => message?.id ?? '');
  for (const message_id of ids) await bob.api.remindMe({ message_id, remind_at: at(LATER_MS) });
  await alice.api.deleteMessages({ message_ids: ids.slice(0, 1) });
  await bob.api.deleteMessagesForMe({ message_ids: ids.slice(1, 2) });
  expect((await bob.api.getReminders()).items).toMatchObject([{ message_id: ids[2] }]);
  await bob.api.leaveChat({ chat_id });
  expect((await bob.api.getReminders()).items).toEqual([]);
  await alice.api.remindMe({ message_id: ids[2] ?? '', remind_at: at(LATER_MS) });
  await alice.api.clearChat({ chat_id });
  expect((await alice.api.getReminders()).items).toEqual([]);
  await pass(LATER_MS);
  expect((await bob.api.getChats()).items.filter(({ last_message }) => last_message?.reminder_of)).toEqual([]);
});

test('SCHEDULE-22: a reminder of a message that the account cannot see any more does not count', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { alice, bob, chat_id, at } = await scene(world, clock);
  const remind = (message_id: string) => alice.api.remindMe({ message_id, remind_at: at(LATER_MS) });
  const { id: kept } = await bob.api.sendMessage({ chat_id, text: 'kept' });
  await remind(kept);
  const ids: string[] = [];
  for (let count = 0; count < 99; count += 1) ids.push((await bob.api.sendMessage({ chat_id, text: `${count}` })).id);
  for (const id of ids) await remind(id);
  const { id: another } = await bob.api.sendMessage({ chat_id, text: 'another' });
  await expect(remind(another)).rejects.toMatchObject({ status: 400 });
  await bob.api.deleteMessages({ message_ids: ids });
  await remind(another);
  expect((await alice.api.getReminders()).items.map(({ message_id }) => message_id)).toEqual([kept, another]);
});
