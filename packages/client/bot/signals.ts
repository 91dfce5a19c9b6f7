/** What is used of Node's `process`; elsewhere there is none. */
interface Process {
  env: Record<string, string | undefined>;
  stderr: { write(text: string): unknown };
  on(name: string, listener: () => void): unknown;
  off(name: string, listener: () => void): unknown;
  exit(code: number): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'];
/** What still runs when all is stopped is not waited for longer. */
const EXIT_MS = 1_000;

const here = (): Process | undefined => (globalThis as { process?: Process }).process;

export const environment = (name: string): string | undefined => here()?.env[name];

export const logToStderr = (line: string): void => void here()?.stderr.write(`${line}\n`);

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
