import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { confinedCode } from './code-confinement.ts';

const program = fileURLToPath(new URL('./code-process.ts', import.meta.url));

/** How much code yields to the service and to everything else: it gets what they leave (CODE-9). */
const NICENESS = 10;
/** The lowest priority that systems have. */
const MOST_NICE = 19;

/** Starts a process that waits for one piece of code. */
export function startCodeProcess(): ChildProcessByStdio<Writable, Readable, null> {
  const { env, execArgv } = confinedCode();
  const child = spawn(process.execPath, [...execArgv, program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, Math.min(MOST_NICE, getPriority() + NICENESS));
  } catch {
    // The process has ended, or the system refuses: it runs with the priority of the service.
  }
  return child;
}
