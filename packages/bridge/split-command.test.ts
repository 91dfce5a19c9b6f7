import { expect, test } from 'vitest';
import { agentEnvironment } from './agent-environment.ts';
import { readArguments } from './run-bridge.ts';
import { splitCommand } from './split-command.ts';

test.each([
  ['qwen --acp', ['qwen', '--acp']],
  ['  "my agent" a\\ b \'c "d\' "" e"f"g', ['my agent', 'a b', 'c "d', '', 'efg']],
  ['a $HOME `x` ; b | c && d > e', ['a', '$HOME', '`x`', ';', 'b', '|', 'c', '&&', 'd', '>', 'e']],
  [String.raw`"C:\Program Files\a.exe" "\"q\""`, [String.raw`C:\Program Files\a.exe`, '"q"']],
])('BRIDGE-1: %s is split into words, and nothing in it is a shell’s', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each([
  [['--acp', '']],
  [['--acp', 'a "b']],
  [[]],
  [['--acp', 'a', '--deciders', 'me']],
  [['--acp', 'a', '--nonsense']],
  [['--acp', 'a', '--env', 'PARLEY_TOKEN']],
  [['--acp', 'a', '--cwd', '/does/not/exist']],
])('BRIDGE-1: %j is refused with a sentence', (args) => {
  expect(() => readArguments(args, { PARLEY_TOKEN: 'mb_x' })).toThrow(TypeError);
});

test('BRIDGE-2: the agent gets no variable that was not named, and never the token', () => {
  const environment = { PATH: '/bin', LC_ALL: 'C', PARLEY_TOKEN: 'mb_x', API_KEY: 'k', OTHER: 'o', NONE: undefined };
  expect(agentEnvironment(environment, ['API_KEY', 'PARLEY_TOKEN'])).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    API_KEY: 'k',
  });
  const options = readArguments(['--acp', 'a', '--env', 'API_KEY'], environment);
  expect(options).toMatchObject({ env: { API_KEY: 'k' }, token: 'mb_x', deciders: 'asker', hasFiles: true });
});
