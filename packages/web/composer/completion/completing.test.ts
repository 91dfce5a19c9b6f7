import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completingAt, matchingPeople, withChosen } from './completing.ts';

const person = (username: string, display_name: string, kind: 'human' | 'agent' = 'human') => ({
  username,
  display_name,
  kind,
});
const people = [
  person('ann', 'Ann Okafor'),
  person('bob', 'Bob Lindqvist'),
  person('ann:helper', 'Helper of Ann', 'agent'),
  person('zoe', 'Zoë Annan'),
];
const names = (query: string) => matchingPeople(people, query, 'bob').map(({ username }) => username);

describe('completion at the caret', () => {
  const at = (text: string, caret = text.length) => completingAt(text, caret);

  test('a name after an @, including its rest after the caret', () => {
    expect(at('hello @an')).toEqual({ kind: 'mention', start: 6, end: 9, query: 'an' });
    expect(at('hello @annika there', 8)).toEqual({ kind: 'mention', start: 6, end: 13, query: 'a' });
    expect(at('(@Bob:he')).toMatchObject({ kind: 'mention', query: 'bob:he' });
    expect(at('@Zoë')).toMatchObject({ kind: 'mention', query: 'zoë' });
    expect(at('@')).toMatchObject({ kind: 'mention', query: '' });
  });

  test('no part of an email address, and no finished name', () => {
    for (const text of ['me@an', 'a.b@an', 'a+@an', 'é@an', '@an is', '@@an'])
      expect(at(text)?.kind, text).not.toBe('mention');
  });

  test('a name directly after a letter of a script without spaces', () => {
    for (const text of ['请@an', 'ねえ@an', 'ネエ@an', '저기@an', 'ถาม@an', 'กา@an'])
      expect(at(text), text).toMatchObject({ kind: 'mention', start: text.length - 3, query: 'an' });
    expect(withChosen('请@an看', { start: 1, end: 4 }, '@ann')).toEqual({ text: '请@ann 看', caret: 6 });
    expect(withChosen('请:笑顔', { start: 1, end: 4 }, '😀').text).toBe('请😀 ');
  });

  test('an emoji’s name after a colon that follows a space, not in code, emoticons, times and addresses', () => {
    expect(at('well :smi')).toEqual({ kind: 'emoji', start: 5, end: 9, query: 'smi' });
    expect(at(':Thumbs_up:')).toEqual({ kind: 'emoji', start: 0, end: 11, query: 'thumbs up' });
    expect(at(':läch')).toMatchObject({ kind: 'emoji', query: 'läch' });
    expect(at('はい :笑顔')).toMatchObject({ kind: 'emoji', query: '笑顔' });
    expect(at('(:+1')).toMatchObject({ kind: 'emoji', query: '+1' });
    expect(at('one `two` :smi')?.kind).toBe('emoji');
    for (const text of [':)', ':D', ':', ':s', '12:30', 'a:smi', 'https://x', ':30pm', ': smi', '`:smi', '```\n:smi'])
      expect(at(text), text).toBeNull();
  });

  test('a command only at the start of the text, and only while its name is typed', () => {
    expect(at('/mu')).toEqual({ kind: 'command', query: 'mu' });
    expect(at('/')).toEqual({ kind: 'command', query: '' });
    expect(at('/day_2')).toEqual({ kind: 'command', query: 'day_2' });
    for (const text of [' /mu', 'a /mu', '/mute 8h', '/usr/bin', '//']) expect(at(text), text).toBeNull();
    expect(at('/mu and more', 3)).toBeNull();
  });

  test('an inline query after the name of a bot, on one line', () => {
    expect(at('@ann:helper two miles ')).toEqual({ kind: 'inline', bot: 'ann:helper', query: 'two miles' });
    expect(at('@ann:helper ')).toBeNull();
    expect(at('@ann:helper /weather Rome')).toBeNull();
    expect(at('@ann:helper one\ntwo')).toBeNull();
    expect(at('hi @ann:helper one')).toBeNull();
    expect(at('@ann:helper one', 13)).toBeNull();
  });

  test('any text: it never throws, and a mention starts at its @', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, caret) => {
        const found = completingAt(text, Math.min(caret, text.length));
        if (found?.kind === 'mention') expect(text[found.start]).toBe('@');
      }),
    );
  });
});

describe('people that match a mention', () => {
  test('prefix matches come first, then word matches; the user is left out', () => {
    expect(names('ann')).toEqual(['ann', 'ann:helper', 'zoe']);
    // By the display name in any script, and by the slug.
    expect(names('zoë')).toEqual(['zoe']);
    expect(names('help')).toEqual(['ann:helper']);
    expect(matchingPeople([person('helen', 'H'), ...people], 'hel', 'bob').map(({ username }) => username)).toEqual([
      'helen',
      'ann:helper',
    ]);
    expect(names('nn')).toEqual(['ann', 'ann:helper']);
    expect(names('bob')).toEqual([]);
    expect(names('')).toHaveLength(3);
  });

  test('at most eight', () => {
    const many = Array.from({ length: 40 }, (_, at) => person(`p${at}`, `P ${at}`));
    expect(matchingPeople(many, 'p', 'me')).toHaveLength(8);
  });

  test('the chosen name replaces the typed part, followed by one space', () => {
    expect(withChosen('hello @an', { start: 6, end: 9 }, '@ann')).toEqual({ text: 'hello @ann ', caret: 11 });
    expect(withChosen('@an, yes', { start: 0, end: 3 }, '@ann')).toEqual({ text: '@ann, yes', caret: 4 });
    expect(withChosen('@an yes', { start: 0, end: 3 }, '@ann')).toEqual({ text: '@ann yes', caret: 5 });
  });
});
