// How and when requests to the receivers of webhook subscriptions are sent.
import { createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';
import { Receiver } from './receiver.ts';
import { stage, textsAt } from './subscription-stage.ts';

const DAY_MS = 86_400_000;

test('WEBHOOK-25: redirects are not followed, and the answer’s body is not read', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  receiver.answer = (response) => response.writeHead(307, { location: `${receiver.origin}/elsewhere` }).end();
  await say('one');
  await pass();
  expect(await standing(ann)).toMatchObject({ failure: 'it answered with status 307' });
  receiver.answer = (response) => response.writeHead(200).write('x'.repeat(1_000_000));
  await pass(5_000);
  expect(await standing(ann)).toMatchObject({ status: 'active' });
  expect(receiver.got.map(({ path }) => path)).toEqual(['/', '/']);
});

test('WEBHOOK-25: a receiver that does not answer within ten seconds has failed; others do not wait for it', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, subscribe, say, standing } = await stage(world, clock, receiver);
  receiver.answer = (response, { path }) => {
    if (path === '/quick') response.writeHead(204).end();
  };
  await subscribe(ann, '/slow');
  await subscribe(bob, '/quick');
  await say('one');
  await world.settle();
  await clock.advance(1_000);
  await receiver.arrived(2);
  await say('two');
  await clock.advance(1_000);
  await receiver.arrived(3);
  expect(textsAt(receiver, '/quick')).toEqual(['one', 'two']);
  expect(textsAt(receiver, '/slow')).toEqual(['one']);
  await clock.advance(9_000);
  await world.settle();
  expect(await standing(ann)).toMatchObject({
    failure: 'it did not answer within 10 seconds',
    failure_cause: { kind: 'timeout', seconds: 10 },
  });
});

test('WEBHOOK-25: all subscriptions of one owner get their events, also while others write', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, subscribe, say, pass } = await stage(world, clock, receiver);
  const { id: elsewhere } = await world.group(bob, await world.member('cleo'));
  const paths = Array.from({ length: 10 }, (_, at) => `/${at}`);
  for (const path of paths) await subscribe(ann, path);
  for (const text of ['one', 'two']) {
    await say(text);
    await bob.api.sendMessage({ chat_id: elsewhere, text: 'nothing for ann' });
    await pass();
    for (const path of paths) expect(textsAt(receiver, path).at(-1), path).toBe(text);
  }
  expect(receiver.got).toHaveLength(20);
});

test('WEBHOOK-25: an owner’s slow receivers do not keep its others from their turn', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say } = await stage(world, clock, receiver);
  const answers: (() => void)[] = [];
  receiver.answer = (response) => void answers.push(() => response.writeHead(204).end());
  const paths = Array.from({ length: 10 }, (_, at) => `/${at}`);
  for (const path of paths) await subscribe(ann, path);
  await say('one');
  await clock.advance(1_000);
  for (const count of [4, 8]) {
    await receiver.arrived(count);
    // The first four have something new when their places are free.
    await say('more');
    for (const answer of answers.splice(0)) answer();
  }
  await receiver.arrived(10);
  expect(new Set(receiver.got.slice(0, 10).map(({ path }) => path)).size).toBe(10);
});

test.each([
  ['of the same owner', 1],
  ['of others', 16],
])('WEBHOOK-25: a slow receiver with many events gives its place to subscriptions %s that wait', async (_, owners) => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, chat_id, subscribe, say, pass } = await stage(world, clock, receiver);
  const others = await Promise.all(Array.from({ length: owners - 1 }, (_, at) => world.person(`other${at}`)));
  const last = owners === 1 ? ann : await world.person('last');
  const members = [...others, last].map(({ username }) => username).filter((name) => name !== 'ann');
  if (members.length > 0) await ann.api.addMembers({ chat_id, usernames: members });
  const answers: (() => void)[] = [];
  receiver.answer = (response) => void answers.push(() => response.writeHead(204).end());
  for (const owner of [ann, ...others])
    for (let at = 0; at < 4; at += 1) await subscribe(owner, `/${owner.username}/${at}`);
  await subscribe(last, '/last');
  for (let at = 0; at < 101; at += 1) await say(`message ${at}`);
  await world.settle();
  await clock.advance(1_000);
  const places = owners * 4;
  await receiver.arrived(places);
  expect(receiver.framesAt('/last')).toEqual([]);
  for (const answer of answers.splice(0)) answer();
  await receiver.arrived(places + 1);
  await clock.advance(1_000);
  await receiver.arrived(places * 2);
  expect(receiver.got.slice(places).map(({ path }) => path)).toContain('/last');
  receiver.answer = (response) => response.writeHead(204).end();
  for (const answer of answers.splice(0)) answer();
  await pass();
  await pass();
  expect(textsAt(receiver, '/ann/0')).toHaveLength(101);
  expect(textsAt(receiver, '/last')).toHaveLength(101);
});

test('WEBHOOK-25: subscriptions for which nothing is new take no place from others', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, bob, subscribe, say } = await stage(world, clock, receiver);
  const { id: elsewhere } = await world.group(bob, await world.member('cleo'));
  await subscribe(ann, '/');
  await bob.api.sendMessage({ chat_id: elsewhere, text: 'nothing for ann' });
  await world.settle();
  const { webhooks } = world.service;
  await webhooks.tend();
  expect(webhooks.isIdle).toBe(true);
  await say('one');
  await world.settle();
  await webhooks.tend();
  expect(webhooks.isIdle).toBe(false);
  await world.settle();
  expect(textsAt(receiver, '/')).toEqual(['one']);
});

test('WEBHOOK-26: after three days of failures the subscription is disabled, and its owner alerted', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env });
  const { ann, subscribe, say, pass, standing } = await stage(world, clock, receiver);
  const bot = await world.bot(ann);
  await subscribe(ann, '/');
  await subscribe(bot, '/bot', { events: ['alert'] });
  receiver.answer = (response, { path }) => response.writeHead(path === '/bot' ? 204 : 500).end();
  await say('one');
  const socket = await ann.socket();
  await pass();
  expect(await standing(ann)).toMatchObject({ status: 'failing' });
  // Each second is a tick of the service, so the test does not let three days pass.
  await world.sql(`UPDATE webhook_subscriptions SET failing_since = failing_since - ${3 * DAY_MS} WHERE attempts > 0`);
  await pass(5_000);
  expect(await standing(ann)).toMatchObject({ status: 'disabled', failing_since: expect.any(String) });
  expect(await socket.event('alert')).toMatchObject({
    level: 'error',
    title: 'A webhook was disabled',
    text: expect.stringContaining('127.0.0.1'),
    cause: {
      kind: 'webhook_disabled',
      host: expect.stringContaining('127.0.0.1'),
      failure: expect.any(String),
      failure_cause: expect.objectContaining({ kind: expect.any(String) }),
    },
  });
  const tries = receiver.got.length;
  await pass(10_000);
  expect(receiver.got).toHaveLength(tries);
  expect(receiver.framesAt('/bot')).toEqual([]);
});

test('WEBHOOK-26: a delivery that fails within the service is repeated as rarely as one that a receiver refuses', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  await using world = await createWorld({ clock, env: receiver.env, expectsErrors: true });
  const { ann, bob, subscribe, say, pass } = await stage(world, clock, receiver);
  const { id } = await subscribe(ann, '/');
  await subscribe(bob, '/bob');
  const { events } = (await ann.api.getWebhookSubscriptions()).items[0] ?? {};
  await world.sql(`UPDATE webhook_subscriptions SET events = 'broken' WHERE url LIKE '%/'`);
  await say('one');
  for (let second = 0; second < 9; second += 1) await pass();
  // After 1 second, again 2.5 to 5 seconds later, and then after 5 to 10.
  expect(world.errors.length).toBeGreaterThan(1);
  expect(world.errors.length).toBeLessThan(4);
  await world.sql(`UPDATE webhook_subscriptions SET events = '${JSON.stringify(events)}' WHERE url LIKE '%/'`);
  // To replay does not wait for the next attempt.
  const { seq = 0 } = (await ann.api.getWebhookSubscriptions()).items[0] ?? {};
  await ann.api.replayWebhook({ subscription_id: id, from_seq: seq - 1 });
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['one']);
});

test('WEBHOOK-26: nothing is sent while the disk is full', async () => {
  await using receiver = await Receiver.start();
  const clock = new ManualClock();
  const env: Record<string, string> = receiver.env;
  await using world = await createWorld({ clock, env });
  const { ann, subscribe, say, pass } = await stage(world, clock, receiver);
  await subscribe(ann, '/');
  await say('one');
  await world.settle();
  env['MIN_FREE_BYTES'] = '900000000000000';
  await world.restart();
  await pass(3_000);
  expect(receiver.got).toEqual([]);
  delete env['MIN_FREE_BYTES'];
  await world.restart();
  await pass();
  expect(textsAt(receiver, '/')).toEqual(['one']);
});
