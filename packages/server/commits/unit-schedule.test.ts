import { beforeEach, expect, test } from 'vitest';
import { theService } from '../calls/unit-queue.ts';
import { account, chat, chatAsItIs, type Lock } from './lock-names.ts';
import { type Chosen, type Planned, UnitSchedule } from './unit-schedule.ts';

let schedule: UnitSchedule;
let lastId = 0;

beforeEach(() => {
  schedule = new UnitSchedule();
  lastId = 0;
});

function post(locks: readonly Lock[] | 'all', { isReady = true, since = 0 } = {}): Planned {
  lastId += 1;
  const request = { id: lastId, name: 'work', caller: theService, input: {}, now: 0 };
  const unit = { request, locks, isReady, since, bytes: lastId };
  schedule.add(unit);
  return unit;
}
const ids = (chosen: Chosen | null) => chosen?.units.map(({ request }) => request.id);

test('CLUSTER-31: units that share no lock run concurrently, units that share one run in order', () => {
  post([chat('a')]);
  const first = schedule.take(64);
  expect(ids(first)).toEqual([1]);
  post([chat('a')]);
  post([chat('b')]);
  post([chat('b'), account(1)]);
  post([chat('a')]);
  const second = schedule.take(64);
  expect(ids(second)).toEqual([3, 4]);
  expect(schedule.take(64)).toBeNull();
  if (first) schedule.release(first);
  expect(ids(schedule.take(64))).toEqual([2, 5]);
});

test('CLUSTER-31: a later unit never takes a lock that a waiting unit needs, even one that is free', () => {
  post([chat('a')]);
  const first = schedule.take(64);
  post([chat('a'), account(1)]);
  post([account(1)]);
  expect(schedule.take(64)).toBeNull();
  if (first) schedule.release(first);
  expect(ids(schedule.take(64))).toEqual([2, 3]);
});

test('CLUSTER-31: units with a shared lock on a conversation run concurrently, but not with one that changes it', () => {
  post([chatAsItIs('a')]);
  const reading = schedule.take(64);
  post([chatAsItIs('a')]);
  const more = schedule.take(64);
  expect(ids(more)).toEqual([2]);
  post([chat('a')]);
  post([chatAsItIs('a')]);
  expect(schedule.take(64)).toBeNull();
  for (const chosen of [reading, more]) if (chosen) schedule.release(chosen);
  expect(ids(schedule.take(1))).toEqual([3]);
  expect(schedule.take(64)).toBeNull();
});

test('CLUSTER-31: a unit with the lock `everything` waits for all units before it, and all later ones wait for it', () => {
  post([chat('a')]);
  const first = schedule.take(64);
  post([chat('b')]);
  post('all');
  post('all');
  post([chat('c')]);
  const second = schedule.take(64);
  expect(ids(second)).toEqual([2]);
  expect(schedule.take(64)).toBeNull();
  if (first) schedule.release(first);
  expect(schedule.take(64)).toBeNull();
  if (second) schedule.release(second);
  const alone = schedule.take(64);
  expect(alone?.isExclusive).toBe(true);
  expect(ids(alone)).toEqual([3, 4]);
  expect(schedule.take(64)).toBeNull();
  if (alone) schedule.release(alone);
  expect(ids(schedule.take(64))).toEqual([5]);
});

test('CLUSTER-31: while some locks of a unit are looked up, later units do not overtake it at those already known', () => {
  const unit = post([account(1)], { isReady: false });
  post([account(1)]);
  post([account(2)]);
  expect(ids(schedule.take(64))).toEqual([3]);
  unit.isReady = true;
  expect(ids(schedule.take(64))).toEqual([1, 2]);
});

test('CLUSTER-34: units that have waited too long are removed; without a time limit, all waiting units are', () => {
  post([chat('a')], { since: 1 });
  post([chat('b')], { since: 2 });
  expect(schedule.giveUp(2).map(({ request }) => request.id)).toEqual([1]);
  expect(schedule.giveUp().map(({ request }) => request.id)).toEqual([2]);
  expect([schedule.size, schedule.bytes]).toEqual([0, 0]);
});

test('CLUSTER-34: the bytes of a waiting unit count until it runs or is removed', () => {
  post([chat('a')]);
  schedule.take(64);
  post([chat('a')], { since: 1 });
  post([chat('b')], { since: 2 });
  expect(schedule.bytes).toBe(2 + 3);
  expect(ids(schedule.take(64))).toEqual([3]);
  expect(schedule.bytes).toBe(2);
  schedule.giveUp(2);
  expect(schedule.bytes).toBe(0);
});
