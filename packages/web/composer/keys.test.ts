import { describe, expect, test } from 'vitest';
import { keyMeaning } from './keys.ts';

const key = (name: string, more = {}) => ({
  key: name,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});
const place = { isListOpen: false, hasActive: false, isEmpty: false };
const list = { isListOpen: true, hasActive: true, isEmpty: false };

describe('keys of the composer', () => {
  test('Enter sends, Shift+Enter starts a line; on touch screens Enter starts a line', () => {
    expect(keyMeaning(key('Enter'), place, false)).toBe('send');
    expect(keyMeaning(key('Enter', { shiftKey: true }), place, false)).toBe('new-line');
    expect(keyMeaning(key('Enter'), place, true)).toBe('new-line');
    expect(keyMeaning(key('Enter', { ctrlKey: true }), place, true)).toBe('send');
  });

  test('keys of an input method are left to the text field', () => {
    for (const name of ['Enter', 'Escape', 'ArrowUp', 'ArrowDown', 'Tab'])
      for (const more of [{ isComposing: true }, { keyCode: 229 }])
        for (const where of [place, list]) expect(keyMeaning(key(name, more), where, false)).toBeNull();
  });

  test('an open list takes the arrows, Tab, Esc, and Enter if an option is active', () => {
    const meanings = ['ArrowDown', 'ArrowUp', 'Tab', 'Enter', 'Escape'].map((name) =>
      keyMeaning(key(name), list, false),
    );
    expect(meanings).toEqual(['next', 'previous', 'choose', 'choose', 'close']);
    expect(keyMeaning(key('Enter'), { ...list, hasActive: false }, false)).toBe('send');
  });

  test('arrow up edits the last message if the composer is empty; Esc cancels', () => {
    expect(keyMeaning(key('ArrowUp'), { ...place, isEmpty: true }, false)).toBe('edit-last');
    expect(keyMeaning(key('ArrowUp'), place, false)).toBeNull();
    expect(keyMeaning(key('Escape'), place, false)).toBe('cancel');
    expect(keyMeaning(key('Tab'), place, false)).toBeNull();
  });
});
