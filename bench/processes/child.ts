// The processes of a run: this service, the baselines, the load generator. Each ends with the benchmark.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Points } from '../trace/steps.ts';

export interface Child {
  readonly pid: number;
  readonly url: string;
  /** Time from the start of the process to its ready line. */
  readonly startMs: number;
  /** The fields of the ready line. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Runs full garbage collections, if the child was started with `collectable`. */
  collect(): Promise<void>;
  /** The points that units have reached, if the child was started with `traceDir`. */
  trace(): Promise<Points>;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

interface ChildOptions {
  entry: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  collectable?: boolean;
  /** Notes the points of units, for which it needs this folder. */
  traceDir?: string | undefined;
}

const readyTimeoutMs = 15_000;
const stopTimeoutMs = 25_000;
const collectTimeoutMs = 10_000;
const traceTimeoutMs = 20_000;
const preload = new URL('./preload.js', import.meta.url).href;
const tracer = new URL('../trace/tracer.ts', import.meta.url).href;
const running = new Set<ChildProcess>();

export function keepUntilEnd(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** Kills all children when the benchmark exits. */
export function endAllChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts a server and waits for its ready line: a JSON object with `"msg":"ready"` and `"url"`. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...(options.collectable ? ['--expose-gc'] : []),
      '--import',
      preload,
      ...(options.traceDir === undefined ? [] : ['--import', tracer]),
      fileURLToPath(new URL(options.entry, import.meta.url)),
      ...(options.args ?? []),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The caller's settings (DATABASE_URL, for example) must not reach a server under test.
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        TRACE_DIR: options.traceDir ?? '',
        ...options.env,
      },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    },
  );
  keepUntilEnd(child);
  const { url, ...ready } = await readyLine(child).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const startMs = performance.now() - startedAt;
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.entry} has no process id`);
  return {
    pid,
    url,
    startMs,
    ready,
    collect: () => collect(child),
    trace: () => trace(child, options.traceDir),
    stop: (signal = 'SIGKILL') => stop(child, signal),
  };
}

type ReadyLine = Record<string, unknown> & { url: string };

async function readyLine(child: ChildProcess): Promise<ReadyLine> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyLine>();
  const lastLines: string[] = [];
  const read = (line: string) => {
    if (lastLines.push(line.slice(0, 500)) > 10) lastLines.shift();
    // All servers under test print it in this form.
    if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as ReadyLine);
  };
  const failed = (why: string) => reject(new Error([`${why} before its ready line`, ...lastLines].join('\n    ')));
  const timeout = setTimeout(() => failed('a server hung'), readyTimeoutMs);
  // Both streams are read for the child's whole life: a full pipe would block it.
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', read);
  }
  child.once('error', (error) => reject(error));
  child.once('close', (code) => failed(`a server ended with ${code}`));
  try {
    return await promise;
  } finally {
    clearTimeout(timeout);
  }
}

async function collect(child: ChildProcess): Promise<void> {
  // A second pass frees what finalizers of the first one released.
  for (let pass = 0; pass < 2; pass++) {
    child.send('collect');
    await once(child, 'message', { signal: AbortSignal.timeout(collectTimeoutMs) });
  }
}

async function trace(child: ChildProcess, dir: string | undefined): Promise<Points> {
  if (dir === undefined) throw new Error('a server was started without a tracer');
  child.send('trace');
  await once(child, 'message', { signal: AbortSignal.timeout(traceTimeoutMs) });
  const points: Points = {};
  for (const name of await readdir(dir)) {
    if (name.endsWith('.json')) Object.assign(points, JSON.parse(await readFile(path.join(dir, name), 'utf8')));
  }
  return points;
}

async function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timeout = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await exited;
  clearTimeout(timeout);
}
