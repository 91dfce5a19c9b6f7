import { expect, test } from 'vitest';
import { unitHandlers } from '../service/unit-handlers.ts';
import { theService } from '../calls/unit-queue.ts';
import { account, chat, chatAsItIs, lockRequest } from './lock-names.ts';
import { needsOf } from './unit-needs.ts';

test('CLUSTER-30: every unit declares its locks', () => {
  const without = [...unitHandlers].filter(([, { locks }]) => locks === undefined).map(([name]) => name);
  expect(without).toEqual([]);
});

test('CLUSTER-30: a unit that declares no locks excludes all others', () => {
  const request = { id: 1, name: 'undeclared', caller: theService, input: {}, now: 0 };
  expect(needsOf(undefined, request)).toBe('all');
  expect(needsOf({}, request)).toBe('all');
});

test('CLUSTER-30: the lock of a conversation does not depend on the case of its id', () => {
  expect(chat('0198C0DE-0000-7000-8000-00000000ABCD')).toEqual(chat('0198c0de-0000-7000-8000-00000000abcd'));
});

test('CLUSTER-30: each lock is requested once, in one order, and exclusively if any unit needs it exclusively', () => {
  const [a, b] = [account(1), chat('b')];
  const one = lockRequest([b, a, chatAsItIs('b')], false);
  expect(one).toEqual(lockRequest([chatAsItIs('b'), a, b, a], false));
  expect(one.modes).toBe('sxx');
  expect(lockRequest([], true)).toEqual({ ids: '{0}', modes: 'x' });
});
