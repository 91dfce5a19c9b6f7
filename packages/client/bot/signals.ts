/** What is used of Node's `process`; elsewhere there is none. */
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
/** What still runs when all is stopped is not waited for longer. */
const EXIT_MS = 1_000;

const here = (): Process | undefined => (globalThis as { process?: Process }).process;

export const environment = (name: string): string | undefined => here()?.env[name];

export const nodeVersion = (): string | undefined => here()?.version;

export const logToStderr = (line: string): void => void here()?.stderr.write(`${line}\n`);

/** What the process ends with, once it has nothing more to do. */
export function endWith(code: number): void {
  const host = here();
  if (host) host.exitCode = code;
}

let isWatching = false;

/**
 * An error that nobody has caught ends the process with the line that `say` has for it, instead of a stack; null leaves
 * it as it is. It only looks on: a program that deals with such errors itself is left to it.
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

/** The first signal stops in order, the second at once. Answers how to take it back. */
export function onSignals(stop: () => Promise<void>): () => void {
  const host = here();
  if (!host) return () => {};
  let isStopping = false;
  const listener = (): void => {
    if (isStopping) return host.exit(1);
    isStopping = true;
    void stop().finally(() => {
      const timer: unknown = setTimeout(() => host.exit(0), EXIT_MS);
      // A process that has nothing more to do ends by itself.
      (timer as { unref?: () => void }).unref?.();
    });
    return undefined;
  };
  for (const name of SIGNALS) host.on(name, listener);
  return () => {
    for (const name of SIGNALS) host.off(name, listener);
  };
}
