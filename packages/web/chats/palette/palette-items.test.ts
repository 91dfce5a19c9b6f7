import type { Chat } from '@parley/client/store';
import type { Account } from '@parley/protocol';
import { Moon } from 'lucide-react';
import { expect, test } from 'vitest';
import { paletteGroups } from './palette-items.ts';

const nothing = {
  typed: '',
  chats: [],
  people: [],
  commands: [],
  hits: [],
  hasMore: false,
  isFiltered: false,
  senders: null,
};

test('empty groups are left out', () => {
  expect(paletteGroups(nothing)).toEqual([]);
  expect(paletteGroups({ ...nothing, isFiltered: true })).toEqual([]);
});

test('a row that loads older messages comes last', () => {
  const [group] = paletteGroups({ ...nothing, typed: 'x', isFiltered: true, hasMore: true });
  expect(group?.items.at(-1)).toEqual({ kind: 'more', key: 'more' });
});

test('commands are found by their words, those named by the text first, and only if a text is typed', () => {
  const command = (title: string, words: string) => ({ id: title, title, words, Icon: Moon, run: () => undefined });
  const commands = [
    command('Settings', 'account preferences'),
    command('Dark mode like the system', 'theme'),
    command('Mode of the day', ''),
    command('New chat', 'start'),
  ];
  const found = (typed: string, isFiltered = false) =>
    paletteGroups({ ...nothing, typed, commands, isFiltered }).flatMap(({ items }) => items.map(({ key }) => key));
  expect(found('new')).toEqual(['command New chat']);
  expect(found('mode')).toEqual(['command Mode of the day', 'command Dark mode like the system']);
  expect(found('theme dark')).toEqual(['command Dark mode like the system']);
  expect(found('prefer')).toEqual(['command Settings']);
  expect(found('ark')).toEqual([]);
  expect(found('')).toEqual([]);
  expect(found('new', true)).toEqual([]);
});

test('an agent is listed beside its separate chats, but not beside the first one', () => {
  const participants = [{ username: 'ann:helper', kind: 'agent' }];
  const person = { username: 'ann:helper', kind: 'agent', display_name: 'Rome helper' } as unknown as Account;
  const keys = (is_separate?: true) => {
    // Only the fields that are read.
    const chat = { id: 'c', kind: 'direct', participants, is_separate } as unknown as Chat;
    const given = { ...nothing, typed: 'rome', chats: [chat], people: [person] };
    return paletteGroups(given).flatMap(({ items }) => items.map(({ key }) => key));
  };
  expect(keys(true)).toEqual(['chat c', 'person ann:helper']);
  expect(keys()).toEqual(['chat c']);
});
