import type { Chat } from '@parley/client/store';
import type { Account } from '@parley/protocol';
import { expect, test } from 'vitest';
import { nameRank, paletteGroups } from './palette-items.ts';

const nothing = { typed: '', chats: [], people: [], hits: [], hasMore: false, isScoped: false, openChat: null };

test.each([
  ['Harbour walk', 'wal', 3],
  ['Ólafur-Björn', 'björ', 3],
  ['Harbour walk', 'harb', 2],
  ['Harbour walk', 'harbour', 1],
  ['Harbour walk', 'harbour walk', 0],
  ['Harbour walk', 'alk', null],
  ['Harbour walk', '', 0],
])('WEB-68: title %j matches %j with rank %j', (title, wanted, rank) => {
  expect(nameRank(title, wanted)).toBe(rank);
});

test('WEB-68: titles that start with the typed words come before titles that start with the typed letters', () => {
  const titles = [
    'Project 70',
    'Project 71',
    'Project 72',
    'Project 73',
    'Project 74',
    'Project 75',
    'Project 7 Delta',
  ];
  const chats = titles.map((title) => ({
    title,
    chat: { id: title, kind: 'group', participants: [] } as unknown as Chat,
  })); // only the fields that are read
  const [group] = paletteGroups({ ...nothing, typed: 'project 7 ', chats });
  expect(group?.items[0]?.key).toBe('chat Project 7 Delta');
});

test('WEB-34: empty groups are left out', () => {
  expect(paletteGroups(nothing)).toEqual([]);
  expect(paletteGroups({ ...nothing, isScoped: true })).toEqual([]);
});

test('WEB-34: a row that loads older messages comes last', () => {
  const [group] = paletteGroups({ ...nothing, typed: 'x', isScoped: true, hasMore: true });
  expect(group?.items.at(-1)).toEqual({ kind: 'more', key: 'more' });
});

test('WEB-152: a new chat is offered by name, with the agent of the open direct chat', () => {
  const agent = { username: 'ann:helper', kind: 'agent', display_name: 'Helper', role: 'member' } as const;
  const actions = (typed: string, openAgent?: typeof agent) =>
    paletteGroups({ ...nothing, typed, openAgent }).flatMap(({ items }) => items.map(({ key }) => key));
  expect(actions('new', agent)).toEqual(['new chat', 'new agent']);
  expect(actions('new')).toEqual(['new agent']);
  expect(actions('', agent)).toEqual([]);
});

test('WEB-157: an agent is listed beside its separate chats, but not beside the first one', () => {
  const participants = [{ username: 'ann:helper', kind: 'agent' }];
  const person = { username: 'ann:helper', kind: 'agent', display_name: 'Rome helper' } as unknown as Account;
  const keys = (is_separate?: true) => {
    // Only the fields that are read.
    const chat = { id: 'c', kind: 'direct', participants, is_separate } as unknown as Chat;
    const given = { ...nothing, typed: 'rome', chats: [{ title: 'Rome', chat }], people: [person] };
    return paletteGroups(given).flatMap(({ items }) => items.map(({ key }) => key));
  };
  expect(keys(true)).toEqual(['chat c', 'person ann:helper']);
  expect(keys()).toEqual(['chat c']);
});
