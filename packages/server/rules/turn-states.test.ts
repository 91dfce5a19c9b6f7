import { describe, expect, test } from 'vitest';
import { nextState, restartEvent, turnEvents, type TurnState, turnStates } from './turn-states.ts';

// A dash means that the event changes nothing.
const cells = `
             claim      text       finish    fail    stop       remove     expire     requeue  lose    wait     hold     resume
queued       streaming  -          -         failed  cancelled  cancelled  cancelled  -        -       -        waiting  -
streaming    -          streaming  complete  failed  cancelled  cancelled  -          queued   failed  waiting  -        -
waiting      -          -          -         failed  cancelled  cancelled  -          -        -       -        -        queued
complete     -          -          -         -       -          -          -          -        -       -        -        -
cancelled    -          -          -         -       -          -          -          -        -       -        -        -
failed       -          -          -         -       -          -          -          -        -       -        -        -
`;
const [header = [], ...rows] = cells
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe('TURN-1: the table of states and events', () => {
  test('TURN-1: the table has every state and every event', () => {
    expect(header).toEqual([...turnEvents]);
    expect(rows.map(([state]) => state)).toEqual([...turnStates]);
  });

  for (const state of turnStates) {
    test.each(turnEvents)(`TURN-1: ${state}, %s`, (event) => {
      const row = rows.find(([name]) => name === state) ?? [];
      const cell = row[1 + header.indexOf(event)];
      expect(cell).toBeDefined();
      expect(nextState(state, event)).toBe(cell === '-' ? null : cell);
    });
  }
});

const ended: readonly TurnState[] = ['complete', 'cancelled', 'failed'];

test('TURN-2: no event changes a turn that has ended', () => {
  for (const state of ended) {
    expect(turnEvents.map((event) => nextState(state, event))).toEqual(turnEvents.map(() => null));
  }
});

test('TURN-2: every turn can end, and only a claim leads to text', () => {
  for (const state of turnStates.filter((name) => !ended.includes(name))) {
    expect(turnEvents.some((event) => ended.includes(nextState(state, event) ?? state))).toBe(true);
  }
  expect(turnEvents.filter((event) => nextState('queued', event) === 'streaming')).toEqual(['claim']);
});

test('TURN-3: after a restart a turn without text runs again, once', () => {
  expect(nextState('streaming', restartEvent({ hasText: false, attempts: 1 }))).toBe('queued');
  expect(nextState('streaming', restartEvent({ hasText: false, attempts: 2 }))).toBe('failed');
});

test('TURN-4: after a restart a turn with text ends as failed', () => {
  expect(nextState('streaming', restartEvent({ hasText: true, attempts: 1 }))).toBe('failed');
  expect(nextState('streaming', restartEvent({ hasText: true, attempts: 2 }))).toBe('failed');
});

test('TURN-19: after a restart a turn with stored steps goes on at the last one, whatever text it had, a few times', () => {
  for (const attempts of [1, 2, 3])
    expect(nextState('streaming', restartEvent({ hasText: true, attempts, steps: 1 }))).toBe('queued');
  expect(nextState('streaming', restartEvent({ hasText: true, attempts: 4, steps: 1 }))).toBe('failed');
});

test('TURN-5: a queued turn survives a restart, unless it is too old', () => {
  expect(nextState('queued', restartEvent({ hasText: false, attempts: 0 }))).toBeNull();
  expect(nextState('queued', restartEvent({ hasText: false, attempts: 1 }))).toBeNull();
  expect(nextState('queued', 'expire')).toBe('cancelled');
});

test('TURN-6: a stop or a removal ends queued, streaming and waiting turns', () => {
  for (const state of ['queued', 'streaming', 'waiting'] as const) {
    expect(nextState(state, 'stop')).toBe('cancelled');
    expect(nextState(state, 'remove')).toBe('cancelled');
  }
});

test('TURN-7: text and ends that arrive after the end are ignored', () => {
  expect(nextState('cancelled', 'text')).toBeNull();
  expect(nextState('cancelled', 'finish')).toBeNull();
  expect(nextState('complete', 'stop')).toBeNull();
});

test('TURN-8: a turn can be claimed only once', () => {
  expect(nextState('streaming', 'claim')).toBeNull();
});

test('WAIT-2: a waiting turn keeps its state whatever happens to the service, and goes on only when it is resumed', () => {
  for (const event of ['expire', 'requeue', 'lose', 'claim', 'text', 'finish'] as const)
    expect(nextState('waiting', event)).toBeNull();
  expect(nextState('waiting', 'resume')).toBe('queued');
});
