import { describe, expect, test } from 'vitest';
import {
  canEnd,
  isOver,
  isRevoked,
  nextReplyState,
  replyEvents,
  type ReplyState,
  replyStates,
  takesText,
} from './reply-states.ts';

// A dash: the event is ignored.
const cells = `
                text  finish          stop            fail            refuse   revoke          drop
open            open  ending          ending          ending          -        revoked         deleted
ending          -     -               -               -               open     ending-revoked  closed
revoked         -     ending-revoked  ending-revoked  ending-revoked  -        -               deleted
ending-revoked  -     -               -               -               revoked  -               closed
closed          -     -               -               -               -        -               -
deleted         -     -               -               -               -        -               -
`;
const [header = [], ...rows] = cells
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

describe('STREAM-9: the table of states and events of an open reply', () => {
  test('STREAM-9: the table names every state and every event', () => {
    expect(header).toEqual([...replyEvents]);
    expect(rows.map(([state]) => state)).toEqual([...replyStates]);
  });

  for (const state of replyStates) {
    test.each(replyEvents)(`STREAM-9: ${state}, %s`, (event) => {
      const row = rows.find(([name]) => name === state) ?? [];
      const cell = row[1 + header.indexOf(event)];
      expect(cell).toBeDefined();
      expect(nextReplyState(state, event)).toBe(cell === '-' ? null : cell);
    });
  }
});

const after = (...events: (typeof replyEvents)[number][]): ReplyState =>
  events.reduce<ReplyState>((state, event) => nextReplyState(state, event) ?? state, 'open');
const where = (holds: (state: ReplyState) => boolean): ReplyState[] => replyStates.filter(holds);

test('STREAM-18: an end that the store refused reopens the reply, unless it was revoked meanwhile', () => {
  expect(after('finish', 'refuse')).toBe('open');
  expect(after('finish', 'revoke', 'refuse')).toBe('revoked');
  expect(after('finish', 'refuse', 'text', 'finish', 'drop')).toBe('closed');
});

test('DEL-5: a reply that is over stays over, even if its end is refused afterwards', () => {
  expect(after('drop', 'text', 'finish', 'refuse')).toBe('deleted');
  expect(after('finish', 'drop', 'refuse', 'text')).toBe('closed');
});

test('in which states a reply takes text, can end, is revoked and is over', () => {
  expect(where(takesText)).toEqual(['open']);
  expect(where(canEnd)).toEqual(['open', 'revoked']);
  expect(where(isRevoked)).toEqual(['revoked', 'ending-revoked']);
  expect(where(isOver)).toEqual(['closed', 'deleted']);
});
