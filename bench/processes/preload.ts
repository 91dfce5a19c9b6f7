// Loaded into every server that the benchmark starts, before its own code: ends it when the benchmark is gone,
// and collects garbage when asked (the server then runs with --expose-gc), so that memory is compared at rest.
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel) {
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message !== 'collect') return;
    globalThis.gc?.();
    process.send?.('collected');
  });
  // The channel must not keep a server alive that has drained.
  process.channel.unref();
}
