// The files of unsent messages that the browser keeps, so that their uploads go on after a reload (WEB-740).
import type { UploadedFile } from '@parley/protocol';
import { dateBefore } from '@parley/protocol/dates';
import { clear, createStore as openDatabase, entries, get, promisifyRequest, type UseStore } from 'idb-keyval';
import { atForget, forgetUploads, noteUploads } from './has-uploads.ts';

/** How long a file is kept: the service deletes an unfinished upload and an unused file after a day. */
const KEPT_MS = 24 * 3_600_000;
/** Maximum number of kept files, and of their bytes: what a person may have uploaded without sending it. */
const MAX_KEPT = 50;
const MAX_KEPT_BYTES = 1024 ** 3;

/** A file of an unsent message, with what the service has of it. */
export interface KeptUpload {
  readonly username: string;
  readonly place: {
    chat_id: string;
    channel_id?: string | null | undefined;
    thread_root_id?: string | null | undefined;
  };
  readonly file: File;
  readonly sound?: { readonly duration_ms: number; readonly waveform: string } | undefined;
  readonly isPasted?: boolean | undefined;
  /** Of an upload in parts that has begun. */
  readonly address?: string | undefined;
  /** The file on the service, once it is uploaded. */
  readonly uploaded?: UploadedFile | undefined;
  /** When it was attached, in milliseconds. */
  readonly at: number;
}

let database: UseStore | undefined;
const opened = (): UseStore => (database ??= openDatabase('parley-uploads', 'files'));

/** Deletes everything that was kept. */
const dropAll = (): void => void clear(opened()).catch(() => undefined);

/**
 * The kept files of an account. A file belongs to the page that holds its lock, and passes to another page of the account
 * when that one is closed: two pages never upload the same file. A browser without locks or a database keeps nothing.
 */
export class KeptUploads {
  readonly #username: string;
  readonly #isSignedIn: () => boolean;
  /** The files that belong to this page, each with the end of its lock once it has it. */
  readonly #own = new Map<string, { kept: KeptUpload; release?: () => void }>();

  constructor(username: string, isSignedIn: () => boolean) {
    this.#username = username;
    this.#isSignedIn = isSignedIn;
    atForget.add(dropAll);
  }

  keep(key: string, upload: Omit<KeptUpload, 'username'>): void {
    this.#own.set(key, { kept: { ...upload, username: this.#username } });
    this.#hold(key, async () => {
      if (!(await hasRoom(upload.file.size))) this.#own.delete(key);
      return this.#own.has(key);
    });
  }

  change(key: string, change: Pick<KeptUpload, 'address' | 'uploaded'>): void {
    const own = this.#own.get(key);
    if (!own) return;
    own.kept = { ...own.kept, ...change };
    // Before it has the lock, the change is written with the file.
    if (own.release) void this.#write(key).catch(() => undefined);
  }

  /** Deletes a file that was sent or removed. */
  drop(key: string): void {
    const own = this.#own.get(key);
    this.#own.delete(key);
    if (!own?.release) return;
    void remove(key).catch(() => undefined);
    own.release();
  }

  /** Passes on each file that an earlier page of the account has left, at once or when that page is closed. */
  async restore(give: (key: string, kept: KeptUpload) => void): Promise<void> {
    const all = await entries<string, KeptUpload>(opened()).catch(() => []);
    if (all.length === 0) forgetUploads();
    for (const [key, { username, at }] of all.toSorted(([, one], [, other]) => one.at - other.at)) {
      if (at < dateBefore(Date.now(), KEPT_MS)) void remove(key).catch(() => undefined);
      else if (username === this.#username)
        this.#hold(key, async () => {
          // The page that had it may have sent or removed it.
          const kept = await get<KeptUpload>(key, opened());
          if (!kept || !this.#isSignedIn()) return false;
          this.#own.set(key, { kept });
          give(key, kept);
          return false;
        });
    }
  }

  /** Waits for the lock of a file, and holds it while the file belongs to this page. `work` says if it is to be stored. */
  #hold(key: string, work: () => Promise<boolean>): void {
    if (!('locks' in navigator) || typeof indexedDB === 'undefined') return;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const run = async (): Promise<void> => {
      const isToStore = await work();
      const held = this.#own.get(key);
      if (!held) return remove(key);
      held.release = release;
      if (isToStore) await this.#write(key);
      return isReleased;
    };
    void navigator.locks.request(`parley-upload ${key}`, run).catch(() => undefined);
  }

  async #write(key: string): Promise<void> {
    const own = this.#own.get(key);
    if (!own || !this.#isSignedIn()) return;
    noteUploads();
    await change((files) => files.put(own.kept, key));
    // It may have been dropped, or another tab may have signed out, while it was written.
    if (!this.#own.has(key) || !this.#isSignedIn()) await remove(key);
  }
}

/** Whether another file of this size may be kept. */
async function hasRoom(bytes: number): Promise<boolean> {
  const all = await entries<string, KeptUpload>(opened());
  return all.length < MAX_KEPT && all.reduce((sum, [, { file }]) => sum + file.size, bytes) <= MAX_KEPT_BYTES;
}

const remove = (key: string): Promise<void> => change((files) => files.delete(key));

/** Committed at once: the page may be gone before its browser would do that. */
const change = (work: (files: IDBObjectStore) => IDBRequest): Promise<void> =>
  opened()('readwrite', (files) => {
    work(files);
    files.transaction.commit();
    return promisifyRequest(files.transaction);
  });
