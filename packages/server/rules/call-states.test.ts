import { describe, expect, test } from 'vitest';
import {
  callEvents,
  type CallState,
  callStates,
  crashEvent,
  isCallOver,
  nextCallState,
  unsentCallState,
} from './call-states.ts';

// A dash means that the event changes nothing.
const cells = `
             approve   decline   expire   send     finish  fail    lose     repeat    withdraw
asked        approved  declined  expired  -        -       -       -        -         withdrawn
approved     -         declined  expired  sending  done    failed  -        -         withdrawn
sending      -         -         -        -        done    failed  unknown  approved  unknown
done         -         -         -        -        -       -       -        -         -
failed       -         -         -        -        -       -       -        -         -
unknown      -         -         -        -        -       -       -        -         -
declined     -         -         -        -        -       -       -        -         -
expired      -         -         -        -        -       -       -        -         -
withdrawn    -         -         -        -        -       -       -        -         -
`;
const [header = [], ...rows] = cells
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe('CALL-3: the table of states and events', () => {
  test('CALL-3: the table has every state and every event', () => {
    expect(header).toEqual([...callEvents]);
    expect(rows.map(([state]) => state)).toEqual([...callStates]);
  });

  for (const state of callStates) {
    test.each(callEvents)(`CALL-3: ${state}, %s`, (event) => {
      const row = rows.find(([name]) => name === state) ?? [];
      const cell = row[1 + header.indexOf(event)];
      expect(cell).toBeDefined();
      expect(nextCallState(state, event)).toBe(cell === '-' ? null : cell);
    });
  }
});

test('CALL-3: only an approved call is sent, and only one that was allowed becomes approved', () => {
  const sent = callStates.filter((state) => nextCallState(state, 'send') !== null);
  expect(sent).toEqual(['approved']);
  expect(callStates.filter((state) => nextCallState(state, 'approve') !== null)).toEqual(['asked']);
});

test('CALL-3: a call that was sent is never withdrawn, declined or expired: nobody could say that it was not made', () => {
  const after = callEvents.map((event) => nextCallState('sending', event));
  expect(after.filter((state) => state === 'withdrawn' || state === 'declined' || state === 'expired')).toEqual([]);
});

test('CALL-3: whatever happens, every call can end, and a call that is over stays as it is', () => {
  const over: readonly CallState[] = ['done', 'failed', 'unknown', 'declined', 'expired', 'withdrawn'];
  expect(callStates.filter(isCallOver)).toEqual(over);
  for (const state of callStates) expect(isCallOver(state) || nextCallState(state, 'withdraw') !== null).toBe(true);
});

test('CALL-4: after a crash a call that was being sent is unknown if it may write, and is sent again if it only reads', () => {
  expect(nextCallState('sending', crashEvent({ writes: true }))).toBe('unknown');
  expect(nextCallState('sending', crashEvent({ writes: false }))).toBe('approved');
});

test.each(['decline', 'expire', 'withdraw'] as const)(
  'CALL-4: a call that was sent before a crash is unknown after %s',
  (event) => {
    expect(unsentCallState({ state: 'approved', sent_at: 1 }, event)).toBe('unknown');
    for (const state of callStates)
      expect(unsentCallState({ state, sent_at: null }, event)).toBe(nextCallState(state, event));
    expect(unsentCallState({ state: 'done', sent_at: 1 }, event)).toBeNull();
  },
);
