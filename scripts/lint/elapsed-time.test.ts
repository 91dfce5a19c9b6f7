import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const plugin = join(import.meta.dirname, 'linear-expressions.ts');
const oxlint = join(import.meta.dirname, '../../node_modules/.bin/oxlint');

/** The numbers of the lines that the rule refuses. */
async function refused(lines: readonly string[]): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'elapsed-'));
  try {
    const config = { jsPlugins: [plugin], categories: {}, rules: { 'parley/elapsed-time': 'error' } };
    await writeFile(join(folder, 'oxlintrc.json'), JSON.stringify(config));
    await writeFile(join(folder, 'code.ts'), lines.join('\n'));
    const { stdout } = spawnSync(oxlint, ['-c', 'oxlintrc.json', '--format=unix', 'code.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return Array.from(stdout.matchAll(/code\.ts:(\d+):.*elapsed-time/g), ([, line]) => Number(line));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('TIME-1: the linter refuses arithmetic with the current date, also through names', async () => {
  const lines = [
    'clock.now() - since;',
    'if (Date.now() >= dueAt) run();',
    'this.clock.now() + 5;',
    'now() < until;',
    'Math.max(dueAt, ports.clock.now()) + 5;',
    '(dueAt ?? clock.now()) - since;',
    'total += Date.now();',
    '{ const now = clock.now(); run(() => now - since); }',
    '{ const [a, b] = [clock.now(), 7]; a - since; b - since; }',
  ];
  // The names of the last two lines hold it where they are used.
  expect(await refused(lines)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('TIME-1: the linter accepts other clocks, dates that are passed on, and names that hide the date', async () => {
  const lines = [
    'performance.now() - since;',
    'clock.monotonic() - since;',
    'save(clock.now());',
    'msSince(date, clock.now()) > 5;',
    'const now = clock.now();',
    'const age = (now: number) => now - since;',
    'const held = (now = clock.monotonic()) => now - since;',
    '{ const at = clock.now(); } { const at = clock.monotonic(); at - since; }',
  ];
  expect(await refused(lines)).toEqual([]);
});
