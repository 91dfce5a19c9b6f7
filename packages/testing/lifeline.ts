import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Its input ends with whoever started it, however that ends; a process that stands still ends by SIGKILL alone. */
const LIFELINE = `trap : INT TERM HUP; cat >/dev/null; kill -KILL "$1"`;

/** The child lives no longer than this process: also where this one is killed, and has no time to end it. */
export function tie(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const lifeline = spawn('/bin/sh', ['-c', LIFELINE, 'lifeline', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Of a group of its own: what is sent to this process's (Ctrl-C) does not end it before the child.
    detached: true,
  });
  lifeline.unref();
  if (lifeline.stdin instanceof Socket) lifeline.stdin.unref();
  // The number of a process that has ended is soon another's.
  child.once('exit', () => lifeline.kill('SIGKILL'));
}
