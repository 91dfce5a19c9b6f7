// Reads an office file in a worker of its own: the page stays responsive, and ends the worker that takes too long.
import { OfficeFailure, readOffice } from '@parley/office';
import type { OfficeReply } from './office-messages.ts';

/** Maximum characters of a file, and rows and columns of each of its sheets and tables, that the viewer shows. */
const bounds = { characters: 250_000, rows: 500, columns: 50 };

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: Blob }) => void): void;
  postMessage(reply: OfficeReply): void;
}

const scope = globalThis as unknown as WorkerScope; // a worker's global object, which the page's types do not describe

scope.addEventListener('message', ({ data }) => {
  data
    .arrayBuffer()
    .then(async (bytes) => readOffice(new Uint8Array(bytes), bounds))
    .then(
      (document) => scope.postMessage({ type: 'read', document }),
      (error: unknown) =>
        scope.postMessage({ type: 'failed', isLocked: error instanceof OfficeFailure && error.isLocked }),
    );
});

scope.postMessage({ type: 'ready' });
