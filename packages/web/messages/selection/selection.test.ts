import type { StoredMessage } from '@parley/client/store';
import { expect, test } from 'vitest';
import { copiedText } from './copied-text.ts';
import { isSelectable, MAX_SELECTED, Selection } from './selection.ts';

/** Only the fields that are read. */
const message = (id: string, more: object = {}) => ({ id, ...more }) as unknown as StoredMessage;
const order = Array.from({ length: 150 }, (_, at) => `m${at}`);
const selected = (selection: Selection): string[] => [...(selection.get() ?? [])];

test('a selection begins with its first message, and keeps going when it is empty', () => {
  const selection = new Selection();
  let calls = 0;
  selection.subscribe(() => (calls += 1));
  expect(selection.get()).toBeNull();
  selection.toggle(message('m3'));
  expect(selected(selection)).toEqual(['m3']);
  selection.toggle(message('m3'));
  expect(selection.get()).toEqual(new Set());
  selection.end();
  expect(selection.get()).toBeNull();
  expect(calls).toBe(3);
});

test('with Shift everything since the last choice is selected, in both directions', () => {
  const selection = new Selection();
  selection.toggle(message('m5'));
  selection.extendTo(message('m8'), order);
  expect(selected(selection)).toEqual(['m5', 'm6', 'm7', 'm8']);
  selection.extendTo(message('m3'), order);
  expect(selected(selection).toSorted()).toEqual(['m3', 'm4', 'm5', 'm6', 'm7', 'm8']);
  // The last choice is not loaded any more.
  selection.extendTo(message('m140'), order.slice(100));
  expect(selected(selection)).toContain('m140');
  expect(selected(selection)).not.toContain('m120');
});

test('at most 100 messages are selected: of a longer range the part next to the last choice', () => {
  const selection = new Selection();
  selection.toggle(message('m120'));
  selection.extendTo(message('m0'), order);
  expect(selected(selection)).toHaveLength(MAX_SELECTED);
  expect(selected(selection)).toContain('m119');
  expect(selected(selection)).not.toContain('m0');
  selection.toggle(message('m149'));
  expect(selected(selection)).toHaveLength(MAX_SELECTED);
  selection.toggle(message('m119'));
  selection.toggle(message('m149'));
  expect(selected(selection)).toContain('m149');
});

test('the versions of a reply are one choice; notices and unsent messages are none', () => {
  const selection = new Selection();
  const versions = { ids: ['v1', 'v2'], current: 'v1' };
  selection.toggle(message('v1', { versions }));
  selection.toggle(message('v2', { versions }));
  expect(selection.get()).toEqual(new Set());
  expect(isSelectable(message('a'))).toBe(true);
  expect(isSelectable(message('a', { service: { kind: 'notice' } }))).toBe(false);
  expect(isSelectable(message('a', { outbox: { state: 'waiting' } }))).toBe(false);
});

test('a single message is copied as its text, several each with sender and time', () => {
  const of = (name: string, content: string) => ({
    sender: { username: name, kind: 'human', display_name: name } as StoredMessage['sender'],
    created_at: '2026-03-01T12:00:00Z',
    content,
    status: 'complete' as const,
  });
  // The service's own words about a reply that no provider was asked for stay away (WEB-430).
  expect(copiedText([{ ...of('Bot', 'needs a key'), status: 'failed', finish_reason: 'no_key' }])).toBe(
    'Couldn’t answer',
  );
  expect(copiedText([of('Ann', 'hello')])).toBe('hello');
  const both = copiedText([of('Ann', 'hello'), of('Bob', 'hi\nthere')]);
  expect(both).toMatch(/^Ann, .*2026.*\nhello\n\nBob, .*2026.*\nhi\nthere$/);
});
