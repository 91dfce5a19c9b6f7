import { expect, test } from 'vitest';
import { unitHandlers } from '../service/unit-handlers.ts';
import { theService } from '../calls/unit-queue.ts';
import { account, chat, chatAsItIs, lockRequest } from './lock-names.ts';
import { needsOf, unitLocks } from './unit-locks.ts';

test('CLUSTER-30: every unit says which locks it needs, and nothing else does', () => {
  expect(Object.keys(unitLocks).toSorted()).toEqual([...unitHandlers.keys()].toSorted());
});

test('CLUSTER-30: a unit that nobody has thought of runs beside nothing else', () => {
  const request = { id: 1, name: 'unheard of', caller: theService, input: {}, now: 0 };
  expect(needsOf(request)).toBe('all');
});

test('CLUSTER-30: a conversation has one lock, however its id is written', () => {
  expect(chat('0198C0DE-0000-7000-8000-00000000ABCD')).toEqual(chat('0198c0de-0000-7000-8000-00000000abcd'));
});

test('CLUSTER-30: locks are asked for once each, in one order, alone where anybody wants one alone', () => {
  const [a, b] = [account(1), chat('b')];
  const one = lockRequest([b, a, chatAsItIs('b')], false);
  expect(one).toEqual(lockRequest([chatAsItIs('b'), a, b, a], false));
  expect(one.modes).toBe('sxx');
  expect(lockRequest([], true)).toEqual({ ids: '{0}', modes: 'x' });
});
