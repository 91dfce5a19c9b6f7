import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { hasEnded, processName } from './process-name.ts';

test('CLUSTER-50: hasEnded tells whether a process of this machine has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  expect(hasEnded(`${hostname()} ${child.pid}`)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(hasEnded(`${hostname()} ${child.pid}`)).toBe(true);
  expect(hasEnded(`another host ${child.pid}`)).toBe(false);
  expect(hasEnded(hostname())).toBe(false);
  // A container that was restarted.
  expect(hasEnded(processName())).toBe(true);
});
