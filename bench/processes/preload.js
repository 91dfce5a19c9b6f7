// Loaded into every server before its own code: ends it when the benchmark exits, and collects garbage on request (the
// server runs with --expose-gc), so that memory is compared at rest.
// JavaScript, because each thread of a server would load what strips types for this file alone.
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel) {
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message !== 'collect') return;
    globalThis.gc?.();
    process.send?.('collected');
  });
  // The channel must not keep a drained server alive.
  process.channel.unref();
}
