import { expect, test } from 'vitest';
import { argumentsOf, commandAt, matchingOffered, offeredCommands } from './bot-commands.ts';

const bot = { username: 'ann:weather', kind: 'agent' as const, display_name: 'Weather' };
const weather = {
  command: 'weather',
  description: 'The weather',
  arguments: [
    { name: 'city', required: true, description: 'Where' },
    { name: 'unit', required: undefined, description: undefined },
  ],
};
const stop = { command: 'stop', description: 'Stop it', arguments: undefined };
const offered = (isGroup: boolean) =>
  offeredCommands([{ bot, commands: [weather, stop] }], { isGroup, ownNames: new Set(['stop']) });
const calls = (isGroup: boolean) => offered(isGroup).map(({ call }) => call);

test('COMMAND-4: a command names its bot in a group, and where the app has a command of that name', () => {
  expect(calls(false)).toEqual(['/weather', '@ann:weather /stop']);
  expect(calls(true)).toEqual(['@ann:weather /weather', '@ann:weather /stop']);
});

test('COMMAND-4: commands are found by the beginning of their name', () => {
  const found = (query: string) => matchingOffered(offered(false), query).map(({ command }) => command.command);
  expect([found(''), found('w'), found('x')]).toEqual([['weather', 'stop'], ['weather'], []]);
});

test('COMMAND-4: while its arguments are typed, a command is known by the text before them', () => {
  const at = (text: string, isGroup = false) => commandAt(text, offered(isGroup))?.command.command;
  expect(at('/weather Rome')).toBe('weather');
  expect(at('@ann:weather /weather ', true)).toBe('weather');
  for (const text of ['/weather', '/weathers x', 'a /weather x', '@ann:weather /stop x'])
    expect(at(text)).toBe(undefined);
  expect(argumentsOf(weather)).toBe('city [unit]');
  expect(argumentsOf(stop)).toBe('');
});
