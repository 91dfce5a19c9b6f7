import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/**
 * A shell whose input closes when its parent ends in any way; it then kills the child. It sends SIGKILL, because a
 * suspended process ignores other signals.
 */
const LIFELINE = `trap : INT TERM HUP; cat >/dev/null; kill -KILL "$1"`;

/** Ties a child to this process: the child ends even if this process is killed and cannot end it. */
export function tie(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const lifeline = spawn('/bin/sh', ['-c', LIFELINE, 'lifeline', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In its own process group, so that a signal to this group (Ctrl-C) does not end the lifeline before the child.
    detached: true,
  });
  lifeline.unref();
  if (lifeline.stdin instanceof Socket) lifeline.stdin.unref();
  // End the lifeline with the child: later it could kill another process that got the same pid.
  child.once('exit', () => lifeline.kill('SIGKILL'));
}
