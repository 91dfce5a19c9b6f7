import { expect, test } from 'vitest';
import { QueuePlay } from '../test/notifications/push-queue-play.ts';

const limits = {
  atOnce: 4,
  atOncePerService: 2,
  waitingPerService: 10,
  waitingPerAccount: 8,
  waitingPerToken: 3,
  waitingPerConversation: 2,
  beginsPerTick: 3,
  attempts: 3,
  firstDelayMs: 1_000,
  maxDelayMs: 10_000,
};
const fail = { retryAfterMs: undefined };

test('PUSH-13: jobs of one token run one after the other, in order', async () => {
  const play = new QueuePlay(limits);
  for (const name of ['a', 'b', 'c']) play.add(name, 1);
  await play.ticks();
  expect(play.started).toEqual(['a']);
  await play.finish('a');
  expect(play.started).toEqual(['a', 'b']);
  await play.finish('b');
  await play.finish('c');
  expect(play.ended).toEqual(['a', 'b', 'c']);
  expect(play.queues.size).toBe(0);
});

test('PUSH-13: the number of running jobs is limited per service and in all, and services take turns', async () => {
  const play = new QueuePlay(limits);
  for (let token = 1; token <= 4; token += 1) play.add(`one${token}`, token);
  for (let token = 5; token <= 7; token += 1) play.add(`two${token}`, token, { service: 'two' });
  play.add('three', 8, { service: 'three' });
  await play.ticks();
  expect(play.started).toEqual(['one1', 'two5', 'three', 'one2']);
  await play.finish('three');
  expect(play.started.slice(4)).toEqual(['two6']);
  // Two services have two running jobs each: the remaining jobs wait although a slot is free.
  await play.finish('two5');
  expect(play.started.slice(5)).toEqual(['two7']);
  await play.finish('one1');
  expect(play.started.slice(6)).toEqual(['one3']);
});

test('PUSH-13: only a few jobs begin per tick of the event loop', async () => {
  const play = new QueuePlay(limits);
  for (let token = 1; token <= 4; token += 1) play.add(`a${token}`, token, { service: `s${token}` });
  expect(play.started).toHaveLength(0);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(3);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(4);
});

test('PUSH-11: delays between retries grow until the job is given up; the token’s next job waits too', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1);
  play.add('b', 1);
  await play.ticks();
  await play.finish('a', fail);
  await play.pass(999);
  expect(play.started).toEqual(['a']);
  await play.pass(1);
  expect(play.started).toEqual(['a', 'a']);
  await play.finish('a', fail);
  await play.pass(3_999);
  expect(play.started).toHaveLength(2);
  await play.pass(1);
  await play.finish('a', fail);
  expect(play.ended).toEqual(['a']);
  await play.pass(10_000);
  expect(play.started.at(-1)).toBe('b');
  await play.finish('b');
  expect(play.clock.pendingTimers).toBe(0);
});

test('PUSH-11: each job has all its attempts and delays, also after a job that was given up', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1);
  play.add('b', 1);
  await play.ticks();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await play.finish('a', fail);
    await play.pass(10_000);
  }
  await play.finish('b', fail);
  await play.pass(1_000);
  await play.finish('b', fail);
  await play.pass(4_000);
  await play.finish('b', fail);
  expect(play.started).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  expect(play.ended).toEqual(['a', 'b']);
});

test('PUSH-11: a newer job that replaces a failed one gets all its own attempts', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.ticks();
  await play.finish('a', fail);
  await play.pass(1_000);
  await play.finish('a', fail);
  play.add('b', 1, { chat: 7 });
  await play.pass(4_000);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await play.finish('b', fail);
    await play.pass(10_000);
  }
  expect(play.started).toEqual(['a', 'a', 'b', 'b', 'b']);
  expect(play.queues.size).toBe(0);
});

test('PUSH-11: a retry waits for the service’s Retry-After, up to a maximum', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1);
  await play.ticks();
  await play.finish('a', { retryAfterMs: 5_000 });
  await play.pass(4_999);
  expect(play.started).toHaveLength(1);
  await play.pass(1);
  await play.finish('a', { retryAfterMs: 1_000_000_000 });
  await play.pass(10_000);
  expect(play.started).toHaveLength(3);
  await play.finish('a');
});

test('PUSH-21: a take-back runs after earlier jobs; it is not queued if a job of its conversation waits', async () => {
  const play = new QueuePlay(limits);
  play.add('under way', 1, { chat: 7 });
  await play.ticks();
  play.takeBack(1, 7);
  play.takeBack(1, 7);
  play.takeBack(1, 8);
  expect(play.queues.size).toBe(3);
  await play.finish('under way');
  await play.finish('take back');
  await play.finish('take back');
  play.add('a', 1, { chat: 7 });
  await play.ticks();
  play.add('b', 1, { chat: 7 });
  play.takeBack(1, 7);
  await play.finish('a');
  await play.finish('b');
  expect(play.started).toEqual(['under way', 'take back', 'take back', 'a', 'b']);
  expect(play.queues.size).toBe(0);
});

test('PUSH-21: a message that joins a take-back waiting for a retry gets all its attempts', async () => {
  const play = new QueuePlay(limits);
  play.takeBack(1, 7);
  await play.ticks();
  for (const waitMs of [1_000, 4_000]) {
    await play.finish('take back', fail);
    if (waitMs === 4_000) play.add('a', 1, { chat: 7 });
    await play.pass(waitMs);
  }
  expect(play.started).toEqual(['take back', 'take back', 'a']);
  for (const waitMs of [1_000, 4_000]) {
    await play.finish('a', fail);
    await play.pass(waitMs);
  }
  await play.finish('a', fail);
  expect(play.started).toEqual(['take back', 'take back', 'a', 'a', 'a']);
  expect([play.ended, play.queues.size]).toEqual([['a'], 0]);
});

test('PUSH-21: a full service refuses a take-back, and notifies when it has room', async () => {
  const play = new QueuePlay({ ...limits, waitingPerService: 2 });
  play.add('a', 1);
  play.add('b', 2);
  expect([play.takeBack(3, 7), play.queues.size]).toEqual([false, 2]);
  await play.ticks();
  await play.finish('a');
  expect(play.room).toEqual(['one']);
  expect(play.takeBack(3, 7)).toBe(true);
  await play.ticks();
  for (const name of ['b', 'take back']) await play.finish(name);
});

test('PUSH-10: a later job replaces a waiting or failed one of the same conversation, but not of another', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.ticks();
  play.add('other', 1);
  play.add('b', 1, { chat: 7 });
  await play.finish('a', fail);
  play.add('c', 1, { chat: 7 });
  expect(play.queues.size).toBe(2);
  await play.pass(1_000);
  await play.finish('other');
  // The earlier messages are kept, because the newest may be deleted.
  expect(play.about('c')).toEqual(['a', 'b', 'c']);
  await play.finish('c');
  expect(play.started).toEqual(['a', 'other', 'c']);
  expect(play.ended).toEqual(['other', 'a', 'b', 'c']);
});

test('PUSH-10: without a pause each message is pushed separately, up to the maximum of waiting jobs', async () => {
  const play = new QueuePlay(limits);
  for (const name of ['a', 'b', 'c', 'd']) {
    play.add(name, 1, { chat: 7 });
    await play.ticks();
  }
  for (const name of ['a', 'b', 'd']) await play.finish(name);
  expect(play.started).toEqual(['a', 'b', 'd']);
  expect(play.ended).toEqual(['a', 'b', 'c', 'd']);
});

test('PUSH-10: a failed push is retried as one push with all waiting messages of its conversation', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.ticks();
  for (const name of ['b', 'c']) play.add(name, 1, { chat: 7 });
  await play.finish('a', fail);
  await play.pass(1_000);
  expect([play.started, play.about('c')]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c'],
  ]);
  await play.finish('c');
  expect([play.ended, play.queues.size]).toEqual([['a', 'b', 'c'], 0]);
});

test('PUSH-10: a token’s new owner does not receive pushes queued for its former owner', async () => {
  const play = new QueuePlay(limits);
  play.add('runs', 1);
  await play.ticks();
  play.add('hers', 1, { chat: 7, account: 1 });
  play.add('his', 1, { chat: 7, account: 2 });
  for (const name of ['runs', 'hers', 'his']) await play.finish(name);
  expect(play.started).toEqual(['runs', 'hers', 'his']);
});

test('PUSH-14: jobs that wait when the service stops do not end, so their rows stay', async () => {
  const play = new QueuePlay(limits);
  play.add('runs', 1);
  play.add('waits', 1);
  play.add('pauses', 2);
  await play.ticks();
  await play.finish('pauses', fail);
  play.queues.close();
  expect(play.add('comes late', 3)).toBe(true);
  let isIdle = false;
  void play.queues.idle().then(() => (isIdle = true));
  await play.pass(0);
  expect(isIdle).toBe(false);
  await play.finish('runs');
  await play.pass(60_000);
  expect(isIdle).toBe(true);
  expect(play.started).toEqual(['runs', 'pauses']);
  expect(play.ended).toEqual(['runs']);
});

test('PUSH-13: a job that throws ends like any other', async () => {
  const play = new QueuePlay(limits);
  play.add('a', 1);
  await play.ticks();
  await play.breakOff('a');
  expect(play.ended).toEqual(['a']);
  expect(play.queues.isIdle).toBe(true);
});
