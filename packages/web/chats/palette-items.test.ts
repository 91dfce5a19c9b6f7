import { describe, expect, it } from 'vitest';
import { isNamed, paletteGroups } from './palette-items.ts';

const nothing = { typed: '', chats: [], people: [], hits: [], hasMore: false, isScoped: false, openChat: null };

describe('the palette', () => {
  it('finds a name by the beginning of each of its words', () => {
    expect(isNamed('Harbour walk', 'wal')).toBe(true);
    expect(isNamed('Ólafur-Björn', 'björ')).toBe(true);
    expect(isNamed('Harbour walk', 'alk')).toBe(false);
    expect(isNamed('Harbour walk', '')).toBe(true);
  });

  it('leaves out what is empty', () => {
    expect(paletteGroups(nothing)).toEqual([]);
    expect(paletteGroups({ ...nothing, isScoped: true })).toEqual([]);
  });

  it('offers older messages at the end', () => {
    const [group] = paletteGroups({ ...nothing, typed: 'x', isScoped: true, hasMore: true });
    expect(group?.items.at(-1)).toEqual({ kind: 'more', key: 'more' });
  });
});
