import type { OfficeDocument } from '@parley/office';
import type { OfficeReply } from './office-messages.ts';

/** How long the worker may take for a file. */
const PATIENCE_MS = 15_000;
/** How long the worker's script may take to load. */
const LOADING_MS = 60_000;

/** What stands in an office file, or why it is not shown. Rejects if the worker's script does not load. */
export async function officeDocument(file: Blob, signal: AbortSignal): Promise<OfficeDocument | 'locked' | 'broken'> {
  const worker = new Worker(new URL('office-worker.ts', import.meta.url), { type: 'module' });
  const answer = Promise.withResolvers<OfficeDocument | 'locked' | 'broken'>();
  const unloaded = () => answer.reject(new Error('the script that reads office files has not loaded'));
  let timer = setTimeout(unloaded, LOADING_MS);
  let isReady = false;
  worker.addEventListener('message', ({ data }: MessageEvent<OfficeReply>) => {
    if (data.type === 'read') return answer.resolve(data.document);
    if (data.type === 'failed') return answer.resolve(data.isLocked ? 'locked' : 'broken');
    isReady = true;
    clearTimeout(timer);
    timer = setTimeout(() => answer.resolve('broken'), PATIENCE_MS);
    return worker.postMessage(file);
  });
  worker.addEventListener('error', () => (isReady ? answer.resolve('broken') : unloaded()));
  signal.addEventListener('abort', () => answer.reject(signal.reason));
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
