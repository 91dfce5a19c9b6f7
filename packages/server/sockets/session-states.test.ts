import { describe, expect, test } from 'vitest';
import { abilities, nextSessionState, sessionEvents, sessionStates } from './session-states.ts';

// A dash: the event is ignored. A bang: the event cannot happen.
const cells = `
            join     end      close     disconnect  gone
greeting    open     ending   closing   closing     gone
open        !        ending   closing   closing     gone
ending      ending   -        closing   closing     gone
closing     !        -        -         -           gone
gone        !        -        -         -           -
`;
const [header = [], ...rows] = cells
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe('the states of a socket session', () => {
  test('the table names every state and every event', () => {
    expect(header).toEqual([...sessionEvents]);
    expect(rows.map(([state]) => state)).toEqual([...sessionStates]);
  });

  for (const state of sessionStates) {
    test.each(sessionEvents)(`${state}, %s`, (event) => {
      const row = rows.find(([name]) => name === state) ?? [];
      const cell = row[1 + header.indexOf(event)];
      expect(cell).toBeDefined();
      if (cell === '!') expect(() => nextSessionState(state, event)).toThrow('cannot');
      else expect(nextSessionState(state, event)).toBe(cell === '-' ? null : cell);
    });
  }
});

test('SOCKET-11: a socket that closes never opens again, and ends as gone', () => {
  for (const state of ['closing', 'gone'] as const)
    for (const event of ['end', 'close', 'disconnect', 'gone'] as const)
      expect(nextSessionState(state, event)).toBe(state === 'closing' && event === 'gone' ? 'gone' : null);
});

test('AUTH-7: an ending socket takes no request and sends no frame, but sends its replies', () => {
  expect(abilities.ending).toEqual({ takesRequests: false, sendsFrames: false, sendsReplies: true });
});

test('SOCKET-1: a socket that ends before its hello is still added to the hub, which must remove it', () => {
  const ending = nextSessionState('greeting', 'end') ?? 'gone';
  expect(nextSessionState(ending, 'join')).toBe('ending');
});
