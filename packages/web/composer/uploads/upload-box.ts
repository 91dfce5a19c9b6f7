import type { Client } from '@parley/client';
import { createContext } from 'react';
import { randomName } from '../../browser/random-name.ts';
import { mayHaveUploads } from '../../session/has-uploads.ts';
import type { KeptUpload } from '../../session/kept-uploads.ts';
import type { KeptFiles } from './kept-files.ts';
import { isKept, type Session } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { type Place, placeName } from '../composing/composing.ts';
import type { UploadQueue } from './upload-queue.ts';
import { afterUploadEvent, isUploading, type NewUpload, type Upload, type UploadEvent } from './uploads.ts';

/** Passes on what keeps the files, one call after another. Its script loads with the first. */
type Kept = (work: (kept: KeptFiles) => void) => void;

/** The files of one composer. They upload whether it is on the page or not. */
export class UploadBox {
  #all: readonly Upload[] = [];
  #onUploaded: ((all: readonly Upload[]) => void) | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #maxBytes: () => Promise<number>;
  readonly #client: Client;
  readonly #place: Place;
  readonly #kept: Kept;
  #queue: UploadQueue | null = null;
  /** The text at the moment Send was pressed while files were uploading; sent after the uploads if it is unchanged. */
  readonly waiting: { current: string | null } = { current: null };

  constructor(place: Place, client: Client, kept: Kept, maxBytes: () => Promise<number>) {
    this.#place = place;
    this.#maxBytes = maxBytes;
    this.#client = client;
    this.#kept = kept;
  }

  readonly get = (): readonly Upload[] => this.#all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Returns how many of the files were left out, because a message cannot hold more. */
  readonly attach = (...added: readonly NewUpload[]): number => {
    const before = this.#all.length;
    this.#tell({ type: 'added', uploads: added.map((upload) => ({ ...upload, key: randomName() })) });
    const taken = this.#all.slice(before);
    const place = this.#place;
    for (const { key, file, sound, isPasted } of taken)
      this.#kept((kept) => kept.keep(key, { place, file, sound, isPasted, at: Date.now() }));
    void this.#begin(taken);
    return added.length - taken.length;
  };

  /** Takes over a file of an earlier page; returns whether the message can hold it. */
  restore(key: string, { file, sound, isPasted, address, uploaded }: KeptUpload): boolean {
    const upload = { key, file, sound, isPasted };
    this.#tell({
      type: 'restored',
      upload: uploaded
        ? { ...upload, uploaded, state: 'done', progress: 1 }
        : { ...upload, address, state: 'waiting', progress: 0 },
    });
    const taken = this.#all.find((one) => one.key === key);
    if (taken && !uploaded) void this.#begin([taken]);
    return taken !== undefined;
  }

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
      for (const { key, file, address } of uploads)
        // Of a file above the service's limit not a byte is sent (WEB-504).
        if (file.size > most) this.#fail(key, tooLarge(most));
        else if (this.#all.some((one) => one.key === key)) this.#queue.add({ key, file, address });
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
    const before = this.#all;
    this.#all = afterUploadEvent(this.#all, event);
    if (before.length > 0) this.#kept((kept) => kept.after(event, before));
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
  readonly #session: Session;
  #loaded: Promise<KeptFiles> | null = null;
  readonly #boxes = new Map<string, UploadBox>();
  #limit: Promise<number> | null = null;

  constructor(session: Session) {
    this.#client = session.client;
    this.#session = session;
  }

  readonly #kept: Kept = (work) => {
    const session = this.#session;
    this.#loaded ??= import('./kept-files.ts').then(
      ({ KeptFiles: Made }) => new Made(session.username, () => isKept(session)),
    );
    this.#loaded.then(work).catch(() => undefined);
  };

  /** Goes on with the files that earlier pages have left. */
  readonly restore = (): void => {
    if (!mayHaveUploads()) return;
    this.#kept((all) => {
      void all.restore((key, kept) => {
        if (!this.at(kept.place).restore(key, kept)) all.drop(key);
      });
    });
  };

  at(place: Place): UploadBox {
    const name = placeName(place);
    const box = this.#boxes.get(name) ?? new UploadBox(place, this.#client, this.#kept, this.#maxBytes);
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
