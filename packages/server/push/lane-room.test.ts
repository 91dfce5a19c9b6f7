import { expect, test } from 'vitest';
import { LanePlay } from '../test/push-lane-play.ts';
import { defaultLaneLimits } from './lane-limits.ts';

const limits = { ...defaultLaneLimits, waitingPerService: 10, waitingPerAccount: 6, waitingPerToken: 3 };
const fail = { retryAfterMs: undefined };

test('PUSH-13: a service that is full takes nothing from the others, though its tokens are in a pause', async () => {
  const play = new LanePlay(limits);
  for (let token = 1; token <= 10; token += 1) play.add(`tarpit${token}`, token, { service: 'tarpit' });
  await play.turns();
  for (let token = 1; token <= 10; token += 1) await play.finish(`tarpit${token}`, fail);
  expect(play.add('too many', 11, { service: 'tarpit' })).toBe(false);
  expect(play.add('honest', 12, { service: 'honest' })).toBe(true);
  await play.turns();
  expect(play.started.at(-1)).toBe('honest');
  expect([play.ended, play.lanes.dropped]).toEqual([[], 0]);
  play.lanes.close();
});

test('PUSH-13: a full service takes what joins a job that waits, and nothing else until a tenth of its room is free', async () => {
  const play = new LanePlay({ ...limits, waitingPerService: 20 });
  for (let token = 1; token <= 20; token += 1) play.add(`a${token}`, token, { chat: 7 });
  expect(play.lanes.isFull('one')).toBe(false);
  expect(play.add('refused', 21)).toBe(false);
  expect(play.lanes.isFull('one')).toBe(true);
  expect(play.add('newer', 20, { chat: 7 })).toBe(true);
  await play.turns();
  await play.finish('a1');
  expect([play.room, play.add('refused again', 21)]).toEqual([[], false]);
  await play.finish('a2');
  expect([play.room, play.add('taken', 21)]).toEqual([['one'], true]);
  expect(play.ended).toEqual(['a1', 'a2']);
});

test('PUSH-13: a token keeps its newest jobs', async () => {
  const play = new LanePlay(limits);
  play.add('a', 1);
  await play.turns();
  for (const name of ['b', 'c', 'd']) play.add(name, 1);
  expect([play.ended, play.lanes.dropped]).toEqual([['b'], 1]);
});

test('PUSH-13: an account that has too many waiting loses the oldest of its fullest token, nobody else does', async () => {
  const play = new LanePlay(limits);
  for (const name of ['a1', 'a2', 'a3']) play.add(name, 1, { account: 5, service: 'tarpit' });
  for (const name of ['b1', 'b2', 'b3']) play.add(name, 2, { account: 6, service: 'tarpit' });
  for (const name of ['c1', 'c2']) play.add(name, 3, { account: 5, service: 'tarpit' });
  await play.turns();
  expect(play.add('well', 4, { account: 5 })).toBe(true);
  expect(play.ended).toEqual([]);
  expect(play.add('well too', 4, { account: 5 })).toBe(true);
  expect([play.ended, play.lanes.dropped]).toEqual([['a2'], 1]);
});

test('PUSH-13: a token that has lost its only job is forgotten with its pause', async () => {
  const play = new LanePlay({ ...limits, waitingPerAccount: 1 });
  play.add('a', 1, { account: 5 });
  await play.turns();
  await play.finish('a', fail);
  expect(play.clock.pendingTimers).toBe(1);
  play.add('b', 2, { account: 5 });
  expect([play.ended, play.clock.pendingTimers]).toEqual([['a'], 0]);
  await play.turns();
  await play.finish('b');
  expect(play.lanes.size).toBe(0);
});

test('PUSH-13: nor does it keep the others of its service from their turn', async () => {
  const play = new LanePlay({ ...limits, waitingPerAccount: 1 });
  play.add('a', 1, { account: 5 });
  play.add('b', 2, { account: 5 });
  play.add('c', 3);
  await play.turns();
  expect([play.ended, play.started]).toEqual([['a'], ['b', 'c']]);
});

test('PUSH-13: 128 are under way at once and 48 at a service, of which 8 begin in a turn of the loop', async () => {
  const play = new LanePlay();
  for (let token = 0; token < 400; token += 1) play.add(`${token}`, token, { service: `s${token % 4}` });
  await play.clock.advance(0);
  expect(play.started).toHaveLength(8);
  for (let turn = 0; turn < 50; turn += 1) await play.clock.advance(0);
  expect(play.started).toHaveLength(128);
  const alone = new LanePlay();
  for (let token = 0; token < 400; token += 1) alone.add(`${token}`, token);
  for (let turn = 0; turn < 50; turn += 1) await alone.clock.advance(0);
  expect(alone.started).toHaveLength(48);
});

test('PUSH-13: 10,000 wait for a service, 200 for an account, 50 for a token', () => {
  const service = new LanePlay();
  for (let token = 0; token < 10_000; token += 1) expect(service.add(`${token}`, token)).toBe(true);
  expect(service.add('one more', 10_000)).toBe(false);
  expect(service.add('elsewhere', 10_001, { service: 'two' })).toBe(true);
  const account = new LanePlay();
  for (let at = 0; at < 201; at += 1) account.add(`${at}`, at % 5, { account: 5 });
  expect([account.lanes.size, account.ended]).toEqual([200, ['0']]);
  const token = new LanePlay();
  for (let at = 0; at < 51; at += 1) token.add(`${at}`, 1);
  expect([token.lanes.size, token.ended]).toEqual([50, ['0']]);
});

test('PUSH-11: six tries, 1 to 2 s and then four times as long each, at most 10 min', async () => {
  const play = new LanePlay();
  play.add('a', 1);
  await play.turns();
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
