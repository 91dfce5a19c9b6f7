import { ApiError } from '@parley/client';
import { createWorld, ManualClock } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';
import { historyOf, textsOf } from '../helpers/message-stage.ts';
import { Receiver } from '../webhooks/receiver.ts';

const HOUR_MS = 3_600_000;
const RATES = { RATE_LIMITS: '1', RATE_MESSAGES_PER_S: '1', RATE_MESSAGES_BURST: '3' };

/** `ok`, or the code of the refusal. */
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

test.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('TIME-1, TIME-3: a clock that is set %s by an hour stops, ends and repeats nothing', async (_name, stepMs) => {
  const clock = new ManualClock();
  await using receiver = await Receiver.start();
  await using world = await createWorld({ clock, env: { ...RATES, ...receiver.env } });
  const { ann, bob, cat } = await world.people('ann', 'bob', 'cat');
  const group = await world.group(ann, bob, cat);
  const chat_id = group.id;
  const bot = await botIn(world, ann, group);
  await ann.api.createWebhookSubscription({ url: `${receiver.origin}/x`, events: ['messageNew'] });
  const [plain, patched] = [await ann.socket(), await bob.socket('patch')];
  const pass = async (ms: number) => {
    await world.settle();
    await clock.advance(ms);
    await world.settle();
  };
  const say = (text: string) => outcome(cat.api.sendMessage({ chat_id, text }));
  expect(await say('before')).toBe('ok');
  await pass(1_000);
  await receiver.arrived(1);
  const { id } = await bot.api.startMessageStream({ chat_id });
  const append = (delta: string, offset: number) => bot.api.appendMessageStream({ message_id: id, delta, offset });
  await append('one ', 4);
  await pass(1_000);
  // The rest of what may be sent at once.
  await expect.poll(() => say('much')).toBe('rate_limited');
  const sent = textsOf(await historyOf(ann, chat_id)).length;
  const patches = () =>
    patched.methods.filter((name) => /^(messageDraftPatch|patchSnapshot|streamSnapshot)$/.test(name)).length;
  const before = { patches: patches(), ticks: plain.ticks.length, deliveries: receiver.got.length };

  clock.step(stepMs);
  await pass(1_000);
  // Several nodes count by the clock of Redis, which goes on.
  await expect.poll(() => say('after')).toBe('ok');
  await append('two ', 8);
  await pass(2_000);
  await receiver.arrived(before.deliveries + 1);
  expect(patches()).toBeGreaterThan(before.patches);
  for (let times = 0; times < 3; times += 1) {
    await pass(20_000);
    await bot.api.getMe();
    await Promise.all([plain.caughtUp(), patched.caughtUp()]);
  }
  expect(plain.ticks.length).toBeGreaterThanOrEqual(before.ticks + 2);
  expect([plain.isOpen, patched.isOpen]).toEqual([true, true]);
  await append('three', 13);
  await bot.api.finishMessageStream({ message_id: id });
  const [last] = (await historyOf(ann, chat_id)).filter((message) => message.id === id);
  expect([last?.status, last?.content]).toEqual(['complete', 'one two three']);
  expect(textsOf(await historyOf(ann, chat_id))).toHaveLength(sent + 1);
  // Every message came once.
  await pass(2_000);
  const frames = receiver.framesAt('/x').map(({ seq }) => seq);
  expect(new Set(frames).size).toBe(frames.length);
});

embeddedTest('nodes take their dates from the database')(
  'TIME-2: what has a date follows the clock, and is sent once',
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann, bob);
    const invite = await ann.api.createInvite({ chat_id, expires_in: 1_800 });
    const send_at = new Date(clock.now() + 1_800_000).toISOString();
    await ann.api.scheduleMessage({ chat_id, text: 'later', send_at });
    const texts = async () => textsOf(await historyOf(bob, chat_id)).filter((text) => text === 'later');
    const pass = async () => {
      await world.settle();
      await clock.advance(2_000);
      await world.settle();
    };
    clock.step(-HOUR_MS);
    await pass();
    expect(await texts()).toEqual([]);
    expect(await outcome(bob.api.getInvite({ token: invite.token }))).toBe('ok');
    clock.step(2 * HOUR_MS);
    await pass();
    expect(await texts()).toEqual(['later']);
    expect(await outcome(bob.api.getInvite({ token: invite.token }))).toBe('not_found');
    // Its date comes once more.
    clock.step(-HOUR_MS);
    await pass();
    await clock.advance(HOUR_MS);
    await pass();
    expect(await texts()).toEqual(['later']);
  },
);
