import type { Client } from '@parley/client';
import { createContext } from 'react';
import { errorText } from '../../words/error-text.ts';
import { type Place, placeName } from '../composing/composing.ts';
import type { UploadQueue } from './upload-queue.ts';
import { afterUploadEvent, isUploading, type NewUpload, type Upload, type UploadEvent } from './uploads.ts';

/** The files of one composer. They upload whether it is on the page or not. */
export class UploadBox {
  #all: readonly Upload[] = [];
  #made = 0;
  #onUploaded: ((all: readonly Upload[]) => void) | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #maxBytes: () => Promise<number>;
  readonly #client: Client;
  #queue: UploadQueue | null = null;
  /** The text at the moment Send was pressed while files were uploading; sent after the uploads if it is unchanged. */
  readonly waiting: { current: string | null } = { current: null };

  constructor(client: Client, maxBytes: () => Promise<number>) {
    this.#maxBytes = maxBytes;
    this.#client = client;
  }

  readonly get = (): readonly Upload[] => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns how many of the files were left out, because a message cannot hold more. */
  readonly attach = (...added: readonly NewUpload[]): number => {
    const before = this.#all.length;
    this.#tell({ type: 'added', uploads: added.map((upload) => ({ ...upload, key: `upload ${(this.#made += 1)}` })) });
    const taken = this.#all.slice(before);
    void this.#begin(taken);
    return added.length - taken.length;
  };

  readonly retry = (upload: Upload): void => {
    this.#tell({ type: 'retried', key: upload.key });
    void this.#begin([upload]);
  };

  /** Removes an upload and cancels it if it is running. */
  readonly remove = (key: string): void => {
    this.#queue?.cancel(key);
    this.#tell({ type: 'removed', key });
  };

  readonly sent = (): void => this.#tell({ type: 'sent' });

  /** Calls back once nothing uploads any more; null while the composer is on the page, which sees it by itself. */
  readonly whenLeft = (onUploaded: ((all: readonly Upload[]) => void) | null): void => {
    this.#onUploaded = onUploaded;
  };

  resume(): void {
    this.#queue?.resume();
  }

  close(): void {
    this.#queue?.cancelAll();
  }

  async #begin(uploads: readonly Upload[]): Promise<void> {
    try {
      const [most, { queueFor, tooLarge }] = await Promise.all([this.#maxBytes(), import('./upload-work.ts')]);
      this.#queue ??= queueFor(this.#client, (event) => this.#tell(event));
      for (const { key, file } of uploads)
        // Of a file above the service's limit not a byte is sent (WEB-504).
        if (file.size > most) this.#fail(key, tooLarge(most));
        else if (this.#all.some((one) => one.key === key)) this.#queue.add(key, file);
    } catch (error) {
      // The script did not load.
      for (const { key } of uploads) this.#fail(key, { error: errorText(error), mayRetry: true });
    }
  }

  #fail(key: string, failure: { error: string; mayRetry: boolean }): void {
    this.#tell({ type: 'started', key });
    this.#tell({ type: 'failed', key, ...failure });
  }

  #tell(event: UploadEvent): void {
    this.#all = afterUploadEvent(this.#all, event);
    for (const listener of this.#listeners) listener();
    if (isUploading(this.#all)) return;
    const onUploaded = this.#onUploaded;
    this.#onUploaded = null;
    onUploaded?.(this.#all);
  }
}

/** The files of a session's composers, by timeline. */
export class UploadBoxes {
  readonly #client: Client;
  readonly #boxes = new Map<string, UploadBox>();
  #limit: Promise<number> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  at(place: Place): UploadBox {
    const name = placeName(place);
    const box = this.#boxes.get(name) ?? new UploadBox(this.#client, this.#maxBytes);
    this.#boxes.set(name, box);
    return box;
  }

  /** Tries again what the network has cut, now that it is back. */
  readonly resume = (): void => {
    for (const box of this.#boxes.values()) box.resume();
  };

  /** Ends all uploads. */
  readonly close = (): void => {
    for (const box of this.#boxes.values()) box.close();
  };

  /** The service's limit, asked for with the first file. While it is not known the service itself refuses. */
  readonly #maxBytes = (): Promise<number> =>
    (this.#limit ??= this.#client.api.getServerInfo().then(
      ({ max_file_bytes }) => max_file_bytes,
      () => {
        this.#limit = null;
        return Infinity;
      },
    ));
}

export const UploadBoxesContext = createContext<UploadBoxes | null>(null);
