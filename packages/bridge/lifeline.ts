import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { agentEnvironment } from './agent-environment.ts';

/** Where a program has a group of its own, with everything that it starts, all of it can be ended. */
export const HAS_GROUPS = process.platform !== 'win32';

/** How long programs have to end by themselves, once nobody is left who would end them. */
const GRACE_MS = 2_000;

/** Sends a signal to a program and, if it has one, to its group. */
export function signalAll(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!HAS_GROUPS || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/**
 * The program of the watcher. It reads `+pid` and `-pid`, a line each, and when its input ends, which happens however the
 * bridge ends, it ends what is left: first it asks, then it kills.
 */
const WATCHER = `
const left = new Set();
const signal = (name) => {
  for (const pid of left) try { process.kill(${HAS_GROUPS ? '-pid' : 'pid'}, name); } catch { left.delete(pid); }
};
let text = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (text + chunk).split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line[0] === '+') left.add(pid); else left.delete(pid);
  }
});
process.stdin.on('error', () => {}).on('close', () => {
  signal('SIGTERM');
  const kill = () => { signal('SIGKILL'); process.exit(); };
  if (left.size === 0) kill(); else setTimeout(kill, ${GRACE_MS});
});
`;

/** One process that outlives the bridge for as long as it takes to end the programs of its agents (BRIDGE-10). */
export class Lifeline {
  #watcher: ChildProcess | null = null;

  /** Ends the program when this process ends, however it does. */
  hold(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    this.#tell(`+${pid}`);
    child.once('exit', () => this.#tell(`-${pid}`));
  }

  #tell(line: string): void {
    this.#watcher ??= this.#started();
    this.#watcher.stdin?.write(`${line}\n`);
  }

  #started(): ChildProcess {
    // In a group of its own: what ends the bridge in its terminal must not end this too.
    const watcher = spawn(process.execPath, ['-e', WATCHER], {
      detached: HAS_GROUPS,
      env: agentEnvironment(process.env, []),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    watcher.once('error', () => {});
    watcher.stdin.on('error', () => {});
    watcher.unref();
    // It is a socket, which would keep this process alive.
    (watcher.stdin as { unref?: () => void }).unref?.();
    return watcher;
  }
}
