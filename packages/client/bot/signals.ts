/** The part of Node's `process` that is used; undefined elsewhere. */
interface Process {
  env: Record<string, string | undefined>;
  version?: string;
  exitCode?: number | string | null | undefined;
  stderr: { write(text: string): unknown };
  on(name: string, listener: (error: unknown) => void): unknown;
  off(name: string, listener: (error: unknown) => void): unknown;
  listenerCount(name: string): number;
  exit(code: number): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'];
/** How long a stopped bot may keep its process alive. */
const EXIT_MS = 1_000;

const here = (): Process | undefined => (globalThis as { process?: Process }).process;

export const environment = (name: string): string | undefined => here()?.env[name];

export const nodeVersion = (): string | undefined => here()?.version;

export const logToStderr = (line: string): void => void here()?.stderr.write(`${line}\n`);

/** Sets the code with which the process exits once it is idle. */
export function endWith(code: number): void {
  const host = here();
  if (host) host.exitCode = code;
}

let isWatching = false;

/**
 * On an uncaught error, prints the line from `say` instead of a stack and ends the process; if `say` returns null, Node
 * handles the error as usual. A program that handles uncaught errors itself is not affected.
 */
export function onUncaught(say: (error: unknown) => string | null): void {
  const host = here();
  if (isWatching || !host) return;
  isWatching = true;
  host.on('uncaughtExceptionMonitor', (error) => {
    const line = say(error);
    if (line === null || host.listenerCount('uncaughtException') > 0) return;
    host.stderr.write(`${line}\n`);
    host.exit(1);
  });
}

/** The first signal stops gracefully, the second immediately. Returns a function that removes the handlers. */
export function onSignals(stop: () => Promise<void>): () => void {
  const host = here();
  if (!host) return () => {};
  let isStopping = false;
  const listener = (): void => {
    if (isStopping) return host.exit(1);
    isStopping = true;
    void stop().finally(() => {
      const timer: unknown = setTimeout(() => host.exit(0), EXIT_MS);
      // An idle process exits without waiting for the timer.
      (timer as { unref?: () => void }).unref?.();
    });
    return undefined;
  };
  for (const name of SIGNALS) host.on(name, listener);
  return () => {
    for (const name of SIGNALS) host.off(name, listener);
  };
}
