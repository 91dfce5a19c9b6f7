import { expect, test } from 'vitest';
import { noteOf } from './finish-notes.ts';

test('WEB-70: the note of a reply ended by a restart says that its last words may be missing', () => {
  expect(noteOf('failed', 'restart', true)?.text).toMatch(/restarted.* The last words may be missing\./);
  expect(noteOf('complete', 'stop', true)).toBeNull();
});

test('PROVIDER-1: a complete reply whose end is not a good one has a note, one for each reason', () => {
  const reasons = ['length', 'filtered', 'tools', 'paused', 'unconfirmed', 'other'];
  const notes = reasons.map((reason) => noteOf('complete', reason, false)?.text);
  expect(notes).not.toContain(undefined);
  expect(new Set(notes).size).toBe(reasons.length);
  expect(noteOf('complete', '', true)).toBeNull();
});

test('WIDGET-11: a reader who cannot have agents reads nothing about keys, budgets and providers', () => {
  const reasons = ['no_key', 'refused_key', 'token_cap', 'no_credit', 'rate_limited', 'bad_request', 'interrupted'];
  for (const reason of reasons)
    expect([reason, noteOf('failed', reason, false)]).toEqual([
      reason,
      { text: 'It can’t answer right now. Try again later.' },
    ]);
  expect(noteOf('failed', 'refused_key', true)?.text).toContain('Set a new one');
  // What such a reader can do something about is the same for everybody.
  for (const reason of ['filtered', 'restart', 'bot'])
    expect(noteOf('failed', reason, false)).toEqual(noteOf('failed', reason, true));
});
