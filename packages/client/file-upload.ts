// Uploads of large files that continue after a lost connection. A separate entry, `@parley/client/upload`.
import type { UploadedFile } from '@parley/protocol';
import { ApiError, resultOf, retryAfterMs } from './api.ts';
import { type Clock, systemClock } from './environment.ts';

/** Files of at most this size are sent in one request, because it is faster. */
export const WHOLE_FILE_BYTES = 4 * 1024 * 1024;
/** Bytes of one request: less than proxies usually let through. */
const PART_BYTES = 8 * 1024 * 1024;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** How often an upload is tried again without any progress. */
const MAX_RETRIES = 8;

/** A request of an upload. */
export interface UploadRequest {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'GET';
  url: string;
  headers: Record<string, string>;
  body?: Blob;
  signal?: AbortSignal | undefined;
  /** Reports how many bytes of the body are sent, if the environment knows. */
  onSent?: (bytes: number) => void;
}

export interface UploadAnswer {
  status: number;
  header: (name: string) => string | null;
  text: string;
}

export interface FileUploadOptions {
  /** The service's address. */
  url: string;
  token: string | (() => string);
  file: Blob;
  /** By default that of a `File`. */
  name?: string;
  /** Sends a request; rejects if there is no answer. By default with `fetch`, which reports progress part by part. */
  send?: (request: UploadRequest) => Promise<UploadAnswer>;
  /** Continues the upload of the same file that an earlier program began, at the address that `onBegun` received. */
  address?: string | undefined;
  /** Receives the upload's address once the service has begun it. */
  onBegun?: (address: string) => void;
}

export interface UploadWay {
  signal?: AbortSignal;
  /** Receives how many bytes have been sent, each time more. */
  onProgress?: (bytes: number) => void;
}

/**
 * The upload of one file, in parts. After a failure `run` continues where the service is, also after a lost connection
 * and a restart of the service, within a day.
 */
export class FileUpload {
  readonly #options: FileUploadOptions;
  #address: string | null;

  constructor(options: FileUploadOptions) {
    this.#options = options;
    this.#address = options.address ?? null;
  }

  /** Uploads what is missing. Throws ApiError, or what `send` rejects with; an abort also ends the upload. */
  async run({ signal, onProgress }: UploadWay = {}): Promise<UploadedFile> {
    try {
      return await this.#run(signal, onProgress);
    } catch (error) {
      if (signal?.aborted) void this.end();
      throw error;
    }
  }

  /** Removes from the service what has arrived. Never rejects: unfinished uploads expire after a day. */
  async end(): Promise<void> {
    const address = this.#address;
    this.#address = null;
    if (address !== null) await this.#ask('DELETE', address).catch(() => {});
  }

  async #run(signal?: AbortSignal, onProgress?: (bytes: number) => void): Promise<UploadedFile> {
    signal?.throwIfAborted();
    const { size } = this.#options.file;
    let offset = await this.#offset(signal);
    const address = this.#address ?? (await this.#begin(signal));
    onProgress?.(offset);
    while (offset < size) {
      const from = offset;
      const { header } = await this.#ask('PATCH', address, {
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body: this.#options.file.slice(from, from + PART_BYTES),
        signal,
        ...(onProgress && { onSent: (bytes: number) => onProgress(from + bytes) }),
      });
      offset = Number(header('upload-offset'));
      if (!(offset > from))
        throw new ApiError(500, { error_code: 'internal', description: 'the upload does not grow' });
      onProgress?.(offset);
    }
    const { status, text } = await this.#ask('GET', address, { signal });
    // GET of an upload answers with its file.
    return resultOf(status, text) as UploadedFile;
  }

  async #begin(signal?: AbortSignal): Promise<string> {
    const { url, file, name = 'name' in file ? String(file.name) : '' } = this.#options;
    const path = `${url.replace(/(?<!\/)\/+$/, '')}/api/uploads`;
    const { header } = await this.#ask('POST', path, {
      headers: { 'upload-length': String(file.size), 'upload-metadata': `filename ${base64(name)}` },
      signal,
    });
    const id = (header('location') ?? '').split('/').at(-1) ?? '';
    this.#address = `${path}/${id}`;
    this.#options.onBegun?.(this.#address);
    return this.#address;
  }

  /** How much of the upload the service has. */
  async #offset(signal?: AbortSignal): Promise<number> {
    if (this.#address === null) return 0;
    try {
      return Number((await this.#ask('HEAD', this.#address, { signal })).header('upload-offset'));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      // It has expired: begin again.
      this.#address = null;
      return 0;
    }
  }

  async #ask(
    method: UploadRequest['method'],
    url: string,
    { headers, ...more }: Partial<Omit<UploadRequest, 'method' | 'url'>> = {},
  ): Promise<UploadAnswer> {
    const { token, send = sendWithFetch } = this.#options;
    const own = {
      authorization: `Bearer ${typeof token === 'string' ? token : token()}`,
      'tus-resumable': '1.0.0',
      ...headers,
    };
    const answer = await send({ method, url, headers: own, ...more });
    if (answer.status >= 400) resultOf(answer.status, answer.text);
    return answer;
  }
}

/**
 * Uploads a file of any size, and continues by itself after a lost connection. Throws ApiError if the service refuses
 * the file, and the last error if it cannot be reached for about a minute.
 */
export async function uploadFile(options: FileUploadOptions & UploadWay & { clock?: Clock }): Promise<UploadedFile> {
  const { signal, onProgress, clock = systemClock } = options;
  const upload = new FileUpload(options);
  let most = 0;
  for (let failures = 0; ;) {
    try {
      return await upload.run({
        ...(signal && { signal }),
        onProgress(bytes) {
          if (bytes <= most) return;
          most = bytes;
          failures = 0;
          onProgress?.(bytes);
        },
      });
    } catch (error) {
      signal?.throwIfAborted();
      const mayPass = !(error instanceof ApiError) || error.status >= 500 || [409, 429].includes(error.status);
      if (!mayPass || failures === MAX_RETRIES) throw error;
      const delay = retryAfterMs(error) || Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
      if (delay > LONGEST_DELAY_MS * 2) throw error;
      failures += 1;
      await pause(clock, delay, signal);
    }
  }
}

const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = clock.setTimer(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      timer.cancel();
      reject(signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
    };
    signal?.addEventListener('abort', stop, { once: true });
  });

async function sendWithFetch({ url, method, headers, body, signal }: UploadRequest): Promise<UploadAnswer> {
  const response = await fetch(url, { method, headers, ...(body && { body }), ...(signal && { signal }) });
  return { status: response.status, header: (name) => response.headers.get(name), text: await response.text() };
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
