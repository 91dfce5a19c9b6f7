import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { appCore, isInQuickRun, longTests, withoutLong } from './test-split.ts';

test('each entry of the lists names a file that exists', () => {
  for (const pattern of [...longTests, ...appCore]) {
    const [before = '', names = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern)?.slice(1) ?? [];
    const each = names === '' ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
    for (const one of each) expect([one, globSync(one).length > 0]).toEqual([one, true]);
  }
});

test('npm test has the tests of a file without the tag `long`, and no file of the lists', () => {
  expect(isInQuickRun('packages/server/rules/mentions.test.ts')).toBe(true);
  expect(isInQuickRun('packages/testing/crash/crash.test.ts')).toBe(false);
  expect(isInQuickRun('packages/web/test/app/door.test.ts')).toBe(true);
  expect(isInQuickRun('packages/web/test/app/axe.test.ts')).toBe(false);
  const source = `
test('A-1: short', () => {});
test('A-2: long', { tags: ['long'] }, () => {});
describe('long', { tags: ['program', 'long'] }, () => {
  test('A-3: in a long suite', () => {});
});
test('A-4: short', () => {});
`;
  expect(withoutLong(source).match(/A-\d/g)).toEqual(['A-1', 'A-4']);
});
