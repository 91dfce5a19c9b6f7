import { expect, test } from 'vitest';
import { QueuePlay } from '../test/notifications/push-queue-play.ts';
import { defaultDeliveryLimits } from './delivery-limits.ts';

const limits = { ...defaultDeliveryLimits, waitingPerService: 10, waitingPerAccount: 6, waitingPerToken: 3 };
const fail = { retryAfterMs: undefined };

test('PUSH-13: a full service whose tokens are pausing leaves room for other services', async () => {
  const play = new QueuePlay(limits);
  for (let token = 1; token <= 10; token += 1) play.add(`tarpit${token}`, token, { service: 'tarpit' });
  await play.ticks();
  for (let token = 1; token <= 10; token += 1) await play.finish(`tarpit${token}`, fail);
  expect(play.add('too many', 11, { service: 'tarpit' })).toBe(false);
  expect(play.add('honest', 12, { service: 'honest' })).toBe(true);
  await play.ticks();
  expect(play.started.at(-1)).toBe('honest');
  expect([play.ended, play.queues.dropped]).toEqual([[], 0]);
  play.queues.close();
});

test('PUSH-13: a full service accepts only messages that join a waiting job, until a tenth of its room is free', async () => {
  const play = new QueuePlay({ ...limits, waitingPerService: 20 });
  for (let token = 1; token <= 20; token += 1) play.add(`a${token}`, token, { chat: 7 });
  expect(play.queues.isFull('one')).toBe(false);
  expect(play.add('refused', 21)).toBe(false);
  expect(play.queues.isFull('one')).toBe(true);
  expect(play.add('newer', 20, { chat: 7 })).toBe(true);
  await play.ticks();
  await play.finish('a1');
  expect([play.room, play.add('refused again', 21)]).toEqual([[], false]);
  await play.finish('a2');
  expect([play.room, play.add('taken', 21)]).toEqual([['one'], true]);
  expect(play.ended).toEqual(['a1', 'a2']);
});

test('PUSH-13: a token whose queue is full drops its oldest jobs', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1);
  await play.ticks();
  for (const name of ['b', 'c', 'd']) play.add(name, 1);
  expect([play.ended, play.queues.dropped]).toEqual([['b'], 1]);
});

test('PUSH-13: an account with too many waiting jobs loses the oldest of its fullest token, and no other account does', async () => {
  const play = new QueuePlay(limits);
  for (const name of ['a1', 'a2', 'a3']) play.add(name, 1, { account: 5, service: 'tarpit' });
  for (const name of ['b1', 'b2', 'b3']) play.add(name, 2, { account: 6, service: 'tarpit' });
  for (const name of ['c1', 'c2']) play.add(name, 3, { account: 5, service: 'tarpit' });
  await play.ticks();
  expect(play.add('well', 4, { account: 5 })).toBe(true);
  expect(play.ended).toEqual([]);
  expect(play.add('well too', 4, { account: 5 })).toBe(true);
  expect([play.ended, play.queues.dropped]).toEqual([['a2'], 1]);
});

test('PUSH-13: a token that lost its only job is removed together with its pause', async () => {
  const play = new QueuePlay({ ...limits, waitingPerAccount: 1 });
  play.add('a', 1, { account: 5 });
  await play.ticks();
  await play.finish('a', fail);
  expect(play.clock.pendingTimers).toBe(1);
  play.add('b', 2, { account: 5 });
  expect([play.ended, play.clock.pendingTimers]).toEqual([['a'], 0]);
  await play.ticks();
  await play.finish('b');
  expect(play.queues.size).toBe(0);
});

test('PUSH-13: a token that lost its only job does not delay the others of its service', async () => {
  const play = new QueuePlay({ ...limits, waitingPerAccount: 1 });
  play.add('a', 1, { account: 5 });
  play.add('b', 2, { account: 5 });
  play.add('c', 3);
  await play.ticks();
  expect([play.ended, play.started]).toEqual([['a'], ['b', 'c']]);
});

test('PUSH-13: 128 jobs run at once, 48 per service, and 8 begin per tick of the event loop', async () => {
  const play = new QueuePlay();
  for (let token = 0; token < 400; token += 1) play.add(`${token}`, token, { service: `s${token % 4}` });
  await play.clock.advance(0);
  expect(play.started).toHaveLength(8);
  for (let turn = 0; turn < 50; turn += 1) await play.clock.advance(0);
  expect(play.started).toHaveLength(128);
  const alone = new QueuePlay();
  for (let token = 0; token < 400; token += 1) alone.add(`${token}`, token);
  for (let turn = 0; turn < 50; turn += 1) await alone.clock.advance(0);
  expect(alone.started).toHaveLength(48);
});

test('PUSH-13: at most 10,000 jobs wait per service, 200 per account and 50 per token', () => {
  const service = new QueuePlay();
  for (let token = 0; token < 10_000; token += 1) expect(service.add(`${token}`, token)).toBe(true);
  expect(service.add('one more', 10_000)).toBe(false);
  expect(service.add('elsewhere', 10_001, { service: 'two' })).toBe(true);
  const account = new QueuePlay();
  for (let at = 0; at < 201; at += 1) account.add(`${at}`, at % 5, { account: 5 });
  expect([account.queues.size, account.ended]).toEqual([200, ['0']]);
  const token = new QueuePlay();
  for (let at = 0; at < 51; at += 1) token.add(`${at}`, 1);
  expect([token.queues.size, token.ended]).toEqual([50, ['0']]);
});

test('PUSH-11: six attempts, the first retry after 1 to 2 s, each next delay four times as long, at most 10 min', async () => {
  const play = new QueuePlay();
  play.add('a', 1);
  await play.ticks();
  for (const [at, seconds] of [2, 8, 32, 128, 512].entries()) {
    await play.finish('a', fail);
    await play.pass(seconds * 1_000 - 1);
    expect(play.started).toHaveLength(at + 1);
    await play.pass(1);
    expect(play.started).toHaveLength(at + 2);
  }
  play.add('b', 1);
  await play.finish('a', fail);
  expect(play.ended).toEqual(['a']);
  await play.pass(600_000);
  expect(play.started.at(-1)).toBe('b');
  await play.finish('b');
});
