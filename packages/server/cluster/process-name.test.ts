import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { hasEnded, processName } from './process-name.ts';

test('CLUSTER-50: hasEnded is true only for an ended process of this machine', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  expect(hasEnded(`${hostname()} ${child.pid}`)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(hasEnded(`${hostname()} ${child.pid}`)).toBe(true);
  expect(hasEnded(`another host ${child.pid}`)).toBe(false);
  expect(hasEnded(hostname())).toBe(false);
  // A restarted container has the same host name and process id.
  expect(hasEnded(processName())).toBe(true);
});
