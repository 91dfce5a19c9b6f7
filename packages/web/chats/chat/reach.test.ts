import { expect, test } from 'vitest';
import { isOutOfReach } from './reach.ts';

const at = '2026-11-20T10:00:00.000Z';
const nowMs = Date.parse(at) + 60_000;
const agent = 'ann:provider_a';
const sender = { username: agent, kind: 'agent', display_name: 'Claude', created_at: at } as const;
const failed = { sender, status: 'failed', finish_reason: 'refused_key', created_at: at } as const;

test('WEB-401: an agent is out of reach for 15 minutes after a reply that its provider or key ended', () => {
  expect(isOutOfReach(failed, agent, nowMs)).toBe(true);
  expect(isOutOfReach({ ...failed, finish_reason: 'timeout' }, agent, nowMs)).toBe(true);
  expect(isOutOfReach(failed, agent, nowMs + 15 * 60_000)).toBe(false);
  // From its end, which can be long after its beginning.
  const ended = { ...failed, finalized_at: '2026-11-20T10:10:00.000Z' };
  expect(isOutOfReach(ended, agent, nowMs + 15 * 60_000)).toBe(true);
  expect(isOutOfReach(ended, agent, nowMs + 25 * 60_000)).toBe(false);
});

test.each([
  ['no message', undefined],
  ['a reply that was finished', { ...failed, status: 'complete', finish_reason: undefined } as const],
  ['a reply that was stopped', { ...failed, status: 'cancelled', finish_reason: 'stopped' } as const],
  ['a reply that a budget refused', { ...failed, finish_reason: 'token_cap' } as const],
  ['a message of another account', { ...failed, sender: { ...sender, username: 'ann:other' } } as const],
])('WEB-401: an agent is not out of reach after %s', (_what, newest) => {
  expect(isOutOfReach(newest, agent, nowMs)).toBe(false);
});
