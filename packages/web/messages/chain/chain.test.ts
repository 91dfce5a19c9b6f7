import type { Account, Message } from '@parley/protocol';
import { expect, test } from 'vitest';
import { isAskedBy, turnsAfter } from './chain.ts';

const account = (username: string): Account => ({
  username,
  kind: username.includes(':') ? 'agent' : 'human',
  display_name: username,
  created_at: '2026-01-01T00:00:00.000Z',
});
type Link = Pick<Message, 'id' | 'reply_to_id' | 'sender' | 'dispatch' | 'versions'>;
const message = (id: string, sender: string, reply_to_id: string | null, ...dispatch: string[]): Link => ({
  id,
  reply_to_id,
  sender: account(sender),
  dispatch,
});

const root = message('1', 'ann', null, 'ann:a', 'ann:b');
const turns = (...messages: Link[]) =>
  turnsAfter(root, messages).map(({ agent, asker, reply }) => [agent, asker.username, reply?.id ?? null]);

test('WEB-546: a chain has the replies that follow from a message, and those that are still to come', () => {
  expect(turns()).toEqual([
    ['ann:a', 'ann', null],
    ['ann:b', 'ann', null],
  ]);
  const [a, b] = [message('2', 'ann:a', '1', 'ann:c'), message('3', 'ann:b', '1', 'ann:a')];
  expect(turns(a, b, message('4', 'ann:a', '3'))).toEqual([
    ['ann:a', 'ann', '2'],
    ['ann:b', 'ann', '3'],
    ['ann:c', 'ann:a', null],
    ['ann:a', 'ann:b', '4'],
  ]);
});

test('WEB-546: what a reply asks people is no turn', () => {
  const decision = { ...message('3', 'ann:a', '1'), decision: { id: '3' } as Message['decision'] };
  expect(turns(message('2', 'ann:a', '1'), decision).map(([, , reply]) => reply)).toEqual(['2', null]);
});

test('WEB-546: quotes of people, of agents that were not asked, and former versions are no turns', () => {
  const former = { ...message('2', 'ann:a', '1'), versions: { ids: ['2', '5'], current: '5' } };
  const newest = { ...message('5', 'ann:a', '1'), versions: { ids: ['2', '5'], current: '5' } };
  expect(turns(former, newest, message('3', 'bob', '1'), message('4', 'ann:x', '1'))).toEqual([
    ['ann:a', 'ann', '5'],
    ['ann:b', 'ann', null],
  ]);
  expect(isAskedBy(message('9', 'ann:a', '1'), root)).toBe(true);
  expect(isAskedBy(message('9', 'ann:a', '7'), root)).toBe(false);
  // Messages that quote each other in a circle end the search.
  expect(turns(message('2', 'ann:a', '1', 'ann:a'), message('2', 'ann:a', '2', 'ann:a'))).toHaveLength(3);
});
