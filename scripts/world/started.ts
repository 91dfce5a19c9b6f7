import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { tie } from '@parley/testing/servers/lifeline.ts';
import { vi } from 'vitest';

interface Start {
  args: readonly string[];
  /** Where it listens. */
  port: number;
  /** Its working and home folder. */
  folder: string;
  env?: Readonly<Record<string, string>>;
  /** How long it may take to listen. */
  patienceMs?: number;
}

/** Starts a program; resolves when it listens. Rejects with what it printed if it ends or does not listen in time. */
export async function started(
  path: string,
  { args, port, folder, env, patienceMs = 20_000 }: Start,
): Promise<AsyncDisposable> {
  const program = spawn(path, args, { cwd: folder, env: { ...processEnv(), HOME: folder, ...env } });
  tie(program);
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += String(text)));
  // A program that could not be spawned has an error instead of an exit.
  const ended = once(program, 'exit').catch((error: unknown) => (said += String(error)));
  const hasEnded = () => program.pid === undefined || program.exitCode !== null || program.signalCode !== null;
  const stop = async (): Promise<void> => {
    program.kill();
    await ended;
  };
  try {
    const looks = async (): Promise<void> => {
      // A program that has ended will not listen any more.
      if (!hasEnded() && !(await accepts(port))) throw new Error('it does not listen');
    };
    await vi.waitFor(looks, { timeout: patienceMs, interval: 100 });
    if (hasEnded()) throw new Error('it has ended');
  } catch (cause) {
    await stop();
    throw new Error(`${path} does not listen: ${said}`, { cause });
  }
  return { [Symbol.asyncDispose]: stop };
}

/** Whether something listens on a port. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
