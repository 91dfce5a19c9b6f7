import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A process that stands still for 4 s under a watchdog with a limit of 1 s, with an inspector opened before that or not. */
const program = (opensInspector: boolean): string => `
  import { open } from 'node:inspector';
  import { watchOver } from '${here('watchdog.ts')}';
  import { systemClock } from '${here('../core/clock.ts')}';
  watchOver(systemClock, 1_000);
  setTimeout(() => {
    ${opensInspector ? 'open(0);' : ''}
    // The next sign of life says so.
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
      process.exit(7);
    }, 2_500);
  }, 500);`;

test.each([
  [false, null, 'SIGKILL'],
  [true, 7, null],
])(
  'CLUSTER-53: a process that stands still is ended, except under a debugger, also one attached later (%s)',
  { tags: ['long'] },
  async (opensInspector, code, signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program(opensInspector)], {
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).toEqual([code, signal]);
  },
);
