import { MessageChannel, Worker } from 'node:worker_threads';
import { postUnits, type StartStore } from '@parley/server/commits/engines/sqlite-thread.ts';

let host: Worker | undefined;

/**
 * Like the store thread of the service, but all worlds of a test file share one thread: loading the service's modules
 * into a thread takes longer than most tests.
 */
export const storeOnSharedThread: StartStore = async (options, position) => {
  host ??= startHost();
  const { port1, port2 } = new MessageChannel();
  // Worlds are short and in memory: to grow the log would cost more than it saves.
  host.postMessage({ port: port2, options: { ...options, growsLog: false } }, [port2]);
  return postUnits(port1, 'close', position);
};

function startHost(): Worker {
  const worker = new Worker(new URL('./store-host-worker.ts', import.meta.url));
  // An error ends the thread and closes the ports, which the services on it notice.
  worker.on('error', (error: Error) => process.stderr.write(`the stores' thread failed: ${error.stack}\n`));
  worker.on('exit', () => (host = undefined));
  // The thread must not keep the test process alive. Unref'ed after adding listeners, which would ref it again.
  worker.unref();
  return worker;
}
