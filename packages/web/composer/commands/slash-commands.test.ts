import { describe, expect, test } from 'vitest';
import { commandsFor, matchingCommands, namesIn, parseCommand, secondsOf } from './slash-commands.ts';

const place = { isGroup: true, isManager: true, isMuted: false, hasAgents: true };
const names = (given: Partial<typeof place>) => commandsFor({ ...place, ...given }).map(({ name }) => name);

describe('commands', () => {
  test('are limited to those that the conversation allows', () => {
    expect(names({})).toEqual(['stop', 'mute', 'pin', 'invite', 'rename']);
    expect(names({ isManager: false })).toEqual(['stop', 'mute']);
    expect(names({ isGroup: false, isManager: true, hasAgents: false, isMuted: true })).toEqual(['unmute', 'pin']);
  });

  test('match by the first letters of their name', () => {
    const found = (query: string) => matchingCommands(commandsFor(place), query).map(({ name }) => name);
    expect(found('')).toHaveLength(5);
    expect(found('m')).toEqual(['mute']);
    expect(found('x')).toEqual([]);
  });

  test('are one line that begins with their name; other text is a message', () => {
    const parse = (text: string) => {
      const call = parseCommand(text, commandsFor(place));
      return call && [call.command.name, call.argument];
    };
    expect(parse('/mute 8h')).toEqual(['mute', '8h']);
    expect(parse(' /STOP ')).toEqual(['stop', '']);
    expect(parse('/rename  The old pier ')).toEqual(['rename', 'The old pier']);
    for (const text of ['/usr/bin', '/nothing', 'see /stop', '/stop\nthis', '/stopping', '/', ''])
      expect(parse(text), text).toBeNull();
  });

  test('accept durations', () => {
    expect(['30m', '8h', '2d', '1 H'].map(secondsOf)).toEqual([1_800, 28_800, 172_800, 3_600]);
    expect(secondsOf('')).toBeUndefined();
    for (const span of ['0h', 'h', '8', '8w', '-1h', '99999d', 'soon']) expect(secondsOf(span), span).toBeNull();
  });

  test('accept names with or without @, each once', () => {
    expect(namesIn('@Ann bob, @ann:helper  bob')).toEqual(['ann', 'bob', 'ann:helper']);
    expect(namesIn(' , ')).toEqual([]);
  });
});
