import { spawn } from 'node:child_process';
import { url as inspectorUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../core/clock.ts';
import { ALIVE, DEBUGGED } from './watchdog-signs.ts';

/**
 * How long a process may show no sign of life before it is ended: its sockets must close before the other nodes give it
 * up, so that its people reconnect to nodes that take over its work (CLUSTER-53).
 */
const HUNG_MS = 7_000;
const SIGN_MS = 1_000;

const program = fileURLToPath(new URL('watchdog-process.ts', import.meta.url));

/**
 * Starts a process that ends this one if it hangs: a hung process keeps its sockets open, and nobody else can close
 * them. Not under a debugger, which stops the process on purpose. Returns a function that ends the watch.
 */
export function watchOver(clock: Clock, hungMs: number = HUNG_MS): () => void {
  if (inspectorUrl() !== undefined) return () => {};
  const child = spawn(process.execPath, ['--max-old-space-size=16', program, String(process.pid), String(hungMs)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In its own process group: a signal to this group (Ctrl-C) does not end it.
    detached: true,
    // It needs none of the service's secrets, and loads nothing that NODE_OPTIONS names.
    env: {},
  });
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    child.stdin.destroy();
  };
  // Without its watchdog the service goes on as before.
  child.on('error', stop);
  child.stdin.on('error', stop);
  child.unref();
  const sign = (): void => {
    if (isOver) return;
    child.stdin.write(inspectorUrl() === undefined ? ALIVE : DEBUGGED);
    clock.setTimer(sign, SIGN_MS);
  };
  sign();
  return stop;
}
