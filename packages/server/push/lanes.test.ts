import { expect, test } from 'vitest';
import { LanePlay } from '../test/push-lane-play.ts';

const limits = {
  atOnce: 4,
  atOncePerService: 2,
  waitingPerService: 10,
  waitingPerAccount: 8,
  waitingPerToken: 3,
  waitingPerConversation: 2,
  beginsPerTurn: 3,
  attempts: 3,
  firstDelayMs: 1_000,
  maxDelayMs: 10_000,
};
const fail = { retryAfterMs: undefined };

test('PUSH-13: jobs of one token run one after the other, in their order', async () => {
  const play = new LanePlay(limits);
  for (const name of ['a', 'b', 'c']) play.add(name, 1);
  await play.turns();
  expect(play.started).toEqual(['a']);
  await play.finish('a');
  expect(play.started).toEqual(['a', 'b']);
  await play.finish('b');
  await play.finish('c');
  expect(play.ended).toEqual(['a', 'b', 'c']);
  expect(play.lanes.size).toBe(0);
});

test('PUSH-13: a service has only so many under way, all services together too; each takes its turn', async () => {
  const play = new LanePlay(limits);
  for (let token = 1; token <= 4; token += 1) play.add(`one${token}`, token);
  for (let token = 5; token <= 7; token += 1) play.add(`two${token}`, token, { service: 'two' });
  play.add('three', 8, { service: 'three' });
  await play.turns();
  expect(play.started).toEqual(['one1', 'two5', 'three', 'one2']);
  await play.finish('three');
  expect(play.started.slice(4)).toEqual(['two6']);
  // Two have two under way each: what is left waits, though there would be room for one more.
  await play.finish('two5');
  expect(play.started.slice(5)).toEqual(['two7']);
  await play.finish('one1');
  expect(play.started.slice(6)).toEqual(['one3']);
});

test('PUSH-13: only a few begin in one turn of the loop', async () => {
  const play = new LanePlay(limits);
  for (let token = 1; token <= 4; token += 1) play.add(`a${token}`, token, { service: `s${token}` });
  expect(play.started).toHaveLength(0);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(3);
  await play.clock.advance(0);
  expect(play.started).toHaveLength(4);
});

test('PUSH-11: pauses grow, and end at last; the next job of the token waits as well', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1);
  play.add('b', 1);
  await play.turns();
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

test('PUSH-11: each job has all its tries and pauses, also behind one that had them in vain', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1);
  play.add('b', 1);
  await play.turns();
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

test('PUSH-11: a newer job that takes the place of one in vain has all its tries', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.turns();
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
  expect(play.lanes.size).toBe(0);
});

test('PUSH-11: a service is not asked before the time that it tells, up to a bound', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1);
  await play.turns();
  await play.finish('a', { retryAfterMs: 5_000 });
  await play.pass(4_999);
  expect(play.started).toHaveLength(1);
  await play.pass(1);
  await play.finish('a', { retryAfterMs: 1_000_000_000 });
  await play.pass(10_000);
  expect(play.started).toHaveLength(3);
  await play.finish('a');
});

test('PUSH-21: a take-back waits its turn; what waits for the conversation already sees to it', async () => {
  const play = new LanePlay(limits);
  play.add('under way', 1, { chat: 7 });
  await play.turns();
  play.takeBack(1, 7);
  play.takeBack(1, 7);
  play.takeBack(1, 8);
  expect(play.lanes.size).toBe(3);
  await play.finish('under way');
  await play.finish('take back');
  await play.finish('take back');
  play.add('a', 1, { chat: 7 });
  await play.turns();
  play.add('b', 1, { chat: 7 });
  play.takeBack(1, 7);
  await play.finish('a');
  await play.finish('b');
  expect(play.started).toEqual(['under way', 'take back', 'take back', 'a', 'b']);
  expect(play.lanes.size).toBe(0);
});

test('PUSH-21: a message joins a take-back that its service makes wait, and has all its tries', async () => {
  const play = new LanePlay(limits);
  play.takeBack(1, 7);
  await play.turns();
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
  expect([play.ended, play.lanes.size]).toEqual([['a'], 0]);
});

test('PUSH-21: a service without room takes no take-back, but tells when it has some', async () => {
  const play = new LanePlay({ ...limits, waitingPerService: 2 });
  play.add('a', 1);
  play.add('b', 2);
  expect([play.takeBack(3, 7), play.lanes.size]).toEqual([false, 2]);
  await play.turns();
  await play.finish('a');
  expect(play.room).toEqual(['one']);
  expect(play.takeBack(3, 7)).toBe(true);
  await play.turns();
  for (const name of ['b', 'take back']) await play.finish(name);
});

test('PUSH-10: a later job of a conversation takes the place of one that waits or was in vain, of another does not', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.turns();
  play.add('other', 1);
  play.add('b', 1, { chat: 7 });
  await play.finish('a', fail);
  play.add('c', 1, { chat: 7 });
  expect(play.lanes.size).toBe(2);
  await play.pass(1_000);
  await play.finish('other');
  // The earlier ones stand by, for the newest may be deleted.
  expect(play.about('c')).toEqual(['a', 'b', 'c']);
  await play.finish('c');
  expect(play.started).toEqual(['a', 'other', 'c']);
  expect(play.ended).toEqual(['other', 'a', 'b', 'c']);
});

test('PUSH-10: without a pause each message is pushed, but for those past as many as may wait', async () => {
  const play = new LanePlay(limits);
  for (const name of ['a', 'b', 'c', 'd']) {
    play.add(name, 1, { chat: 7 });
    await play.turns();
  }
  for (const name of ['a', 'b', 'd']) await play.finish(name);
  expect(play.started).toEqual(['a', 'b', 'd']);
  expect(play.ended).toEqual(['a', 'b', 'c', 'd']);
});

test('PUSH-10: what is in vain goes on as one push with all that waits of its conversation', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1, { chat: 7 });
  await play.turns();
  for (const name of ['b', 'c']) play.add(name, 1, { chat: 7 });
  await play.finish('a', fail);
  await play.pass(1_000);
  expect([play.started, play.about('c')]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c'],
  ]);
  await play.finish('c');
  expect([play.ended, play.lanes.size]).toEqual([['a', 'b', 'c'], 0]);
});

test('PUSH-10: whoever has a token now is not told in the place of who had it before', async () => {
  const play = new LanePlay(limits);
  play.add('runs', 1);
  await play.turns();
  play.add('hers', 1, { chat: 7, account: 1 });
  play.add('his', 1, { chat: 7, account: 2 });
  for (const name of ['runs', 'hers', 'his']) await play.finish(name);
  expect(play.started).toEqual(['runs', 'hers', 'his']);
});

test('PUSH-14: what waits when the service stops does not end: its row stays', async () => {
  const play = new LanePlay(limits);
  play.add('runs', 1);
  play.add('waits', 1);
  play.add('pauses', 2);
  await play.turns();
  await play.finish('pauses', fail);
  play.lanes.close();
  expect(play.add('comes late', 3)).toBe(true);
  let isIdle = false;
  void play.lanes.idle().then(() => (isIdle = true));
  await play.pass(0);
  expect(isIdle).toBe(false);
  await play.finish('runs');
  await play.pass(60_000);
  expect(isIdle).toBe(true);
  expect(play.started).toEqual(['runs', 'pauses']);
  expect(play.ended).toEqual(['runs']);
});

test('PUSH-13: a job that breaks ends like any other', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1);
  await play.turns();
  await play.breakOff('a');
  expect(play.ended).toEqual(['a']);
  expect(play.lanes.isIdle).toBe(true);
});
