import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const lifeline = fileURLToPath(new URL('lifeline.ts', import.meta.url));

/** A process that starts another one, which prints a line and keeps the same output open for as long as it lives. */
function parentOf(child: string) {
  const program = `
    import { spawn } from 'node:child_process';
    import { tie } from ${JSON.stringify(lifeline)};
    tie(spawn(process.execPath, ['-e', ${JSON.stringify(`console.log('here'); ${child}`)}], {
      stdio: ['ignore', 'inherit', 'ignore'],
    }));`;
  const parent: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { parent, closed: once(parent, 'close') };
}

test.each([
  ['runs', 'setInterval(() => {}, 1_000)'],
  ['is suspended', `process.kill(process.pid, 'SIGSTOP')`],
])('a process ends with the process it is tied to, however that ends: one that %s', async (_, what) => {
  const { parent, closed } = parentOf(what);
  if (parent.stdout) expect(await once(createInterface({ input: parent.stdout }), 'line')).toEqual(['here']);
  parent.kill('SIGKILL');
  await closed;
});

test('a process that has ended does not keep its parent alive', async () => {
  const { parent, closed } = parentOf('');
  parent.stdout?.resume();
  expect(await closed).toEqual([0, null]);
});
