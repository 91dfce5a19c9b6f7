import { ApiError, type Clock, type Timer } from '@parley/client';
import type { UploadedFile } from '@parley/protocol';
import type { UploadEvent } from './uploads.ts';

/** Maximum number of parallel uploads. The service allows four per person (FILE-3); one is left for another page. */
const AT_ONCE = 3;
/** Delay before a retry if the service sends no `retry_after`. */
const RETRY_S = 1;
/** How often an upload is tried again after the network or the service failed; the delay doubles from a second on. */
const MAX_RETRIES = 5;
/** Longest `retry_after` to wait for: longer ones are about storage, which waiting does not free. */
const MAX_RETRY_S = 60;

/** A file, with the address of its upload if an earlier page began it. */
interface QueuedUpload {
  readonly key: string;
  readonly file: File;
  readonly address?: string | undefined;
}

interface UploadWay {
  signal: AbortSignal;
  onProgress: (progress: number) => void;
  onBegun: (address: string) => void;
}

interface Parts {
  clock: Clock;
  send: (upload: QueuedUpload, way: UploadWay) => Promise<UploadedFile>;
  tell: (event: UploadEvent) => void;
  /** Words a failed upload and says whether a retry may succeed. */
  failure: (error: unknown) => { error: string; mayRetry: boolean };
  /** Whether the browser knows that it has no network. */
  isOffline: () => boolean;
}

interface Waiting extends QueuedUpload {
  /** How often the network or the service has failed since the upload last got further. */
  readonly failures: number;
  /** The furthest that it has got, from 0 to 1. */
  readonly reached: number;
}

/** Uploads files in order, a few at once; retries an upload that the service is too busy for. */
export class UploadQueue {
  readonly #parts: Parts;
  readonly #waiting: Waiting[] = [];
  readonly #underWay = new Map<string, AbortController>();
  #pause: Timer | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  add({ key, file, address }: QueuedUpload): void {
    this.#waiting.push({ key, file, address, failures: 0, reached: 0 });
    this.#pump();
  }

  /** Removes a file and aborts its upload. */
  cancel(key: string): void {
    const at = this.#waiting.findIndex((one) => one.key === key);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#underWay.get(key)?.abort();
    this.#underWay.delete(key);
    this.#pump();
  }

  cancelAll(): void {
    this.#waiting.length = 0;
    this.#pause?.cancel();
    this.#pause = null;
    for (const way of this.#underWay.values()) way.abort();
    this.#underWay.clear();
  }

  /** Starts uploads that wait for a retry: the network is back. */
  resume(): void {
    this.#pause?.cancel();
    this.#pause = null;
    this.#pump();
  }

  #pump(): void {
    while (this.#pause === null && this.#underWay.size < AT_ONCE) {
      const next = this.#waiting.shift();
      if (!next) return;
      void this.#upload(next);
    }
  }

  async #upload(upload: Waiting): Promise<void> {
    const { send, tell, failure } = this.#parts;
    const { key } = upload;
    const way = new AbortController();
    this.#underWay.set(key, way);
    tell({ type: 'started', key });
    let { failures: failed, reached } = upload;
    const onProgress = (progress: number): void => {
      if (progress > reached) {
        reached = progress;
        failed = 0;
      }
      tell({ type: 'progressed', key, progress });
    };
    try {
      const onBegun = (address: string) => tell({ type: 'begun', key, address });
      const uploaded = await send(upload, { signal: way.signal, onProgress, onBegun });
      if (!way.signal.aborted) tell({ type: 'done', key, uploaded });
    } catch (error) {
      if (way.signal.aborted) return;
      const { retryS, failures } = afterFailure(error, failed, this.#parts.isOffline());
      if (retryS !== null && retryS <= MAX_RETRY_S) {
        tell({ type: 'postponed', key });
        this.#waiting.unshift({ ...upload, failures, reached });
        this.#rest(retryS * 1_000);
      } else tell({ type: 'failed', key, ...failure(error) });
    } finally {
      if (this.#underWay.get(key) === way) this.#underWay.delete(key);
      this.#pump();
    }
  }

  /** Starts no upload for this long; a later refusal extends it. */
  #rest(ms: number): void {
    this.#pause?.cancel();
    this.#pause = this.#parts.clock.setTimer(() => {
      this.#pause = null;
      this.#pump();
    }, ms);
  }
}

/**
 * After how many seconds an upload is tried again; null if it is not: the service refused the file itself. Without a
 * network the retries do not run out.
 */
function afterFailure(
  error: unknown,
  failures: number,
  isOffline: boolean,
): { retryS: number | null; failures: number } {
  if (error instanceof ApiError && error.code === 'rate_limited')
    return { retryS: Number(error.parameters['retry_after'] ?? RETRY_S), failures };
  // A conflict: an earlier request has stored more meanwhile.
  const mayPass = !(error instanceof ApiError) || error.status >= 500 || error.code === 'conflict';
  const retryS = mayPass && failures < MAX_RETRIES ? RETRY_S * 2 ** failures : null;
  return { retryS, failures: isOffline ? Math.min(failures + 1, MAX_RETRIES - 1) : failures + 1 };
}
