import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { PostgresPool } from '../../store/engines/postgres-pool.ts';
import { ReopeningConnection } from '../../store/engines/postgres-reopening.ts';
import {
  deleteChunks,
  deleteFile,
  insertChunk,
  insertFile,
  namesAfter,
  sizeOf,
  sliceOf,
} from '../../store/engines/postgres-files.ts';
import type { Sql } from '../../store/sql.ts';
import { assertName, type ByteRange, type FileStorage } from '../storage.ts';

/** Bytes per row. A range of a row can be read without the rest. */
const CHUNK = 512 * 1024;
/** Bytes per read, and so the maximum of a file that each of its readers holds in memory. */
const SLICE = 256 * 1024;
/** Chunks deleted per statement; a long statement would delay the vacuum of all tables. */
const REMOVED_AT_ONCE = 32;
const LISTED_AT_ONCE = 1_000;
const READERS = 2;

interface PostgresStorageNeeds {
  /** Reads the bytes. Its results are whole slices, so latency-sensitive reads should use other connections. */
  read: Sql;
  /** Returns a connection for writing, the same one until it is lost. */
  write: () => Promise<Sql>;
}

/**
 * Stores bytes as rows of PostgreSQL, so that every node can read them. Each chunk is its own commit, because a long
 * transaction would delay the vacuum of all tables. The row in `stored_files` is written last, and only then does the
 * file exist. Chunks that a dead node left are removed by their name, which was listed for removal before the first
 * chunk.
 */
export class PostgresStorage implements FileStorage {
  readonly #read: Sql;
  readonly #write: () => Promise<Sql>;

  constructor({ read, write }: PostgresStorageNeeds) {
    this.#read = read;
    this.#write = write;
  }

  /** Opens a storage with its own connections. */
  static async open({ url }: { url: string }): Promise<{ storage: PostgresStorage; close(): Promise<void> }> {
    const read = await PostgresPool.open({ url, name: 'parley files', size: READERS });
    const seat = new ReopeningConnection({ url, name: 'parley files' });
    return {
      storage: new PostgresStorage({ read, write: () => seat.get() }),
      async close() {
        await Promise.all([read.close(), seat.close()]);
      },
    };
  }

  async keep(name: string, localFile: string): Promise<void> {
    assertName(name);
    try {
      // All chunks use one connection: a server that restarted may have lost chunks that were not flushed.
      const store = await this.#write();
      const size = await storeChunks(store, name, localFile);
      if ((await store.run(insertFile, name, size)) === 0) throw new Error(`some bytes of ${name} are missing`);
    } catch (error) {
      // If this fails, the name is still on the list of removals.
      await this.remove(name).catch(() => {});
      throw error;
    }
    await rm(localFile);
  }

  async read(name: string, range?: ByteRange): Promise<Readable | undefined> {
    assertName(name);
    const file = await this.#read.get(sizeOf, name);
    if (!file) return undefined;
    const end = Math.min(file.size, range ? range.last + 1 : Infinity);
    // A byte stream, not an object stream: a slice is fetched when the previous one has been consumed.
    return Readable.from(this.#slices(name, range?.first ?? 0, end), { objectMode: false, highWaterMark: SLICE });
  }

  async remove(name: string): Promise<void> {
    assertName(name);
    const store = await this.#write();
    await store.run(deleteFile, name);
    while ((await store.run(deleteChunks, name, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  }

  async *list(): AsyncIterable<string> {
    let after = '';
    for (;;) {
      const rows = await this.#read.all(namesAfter, after, LISTED_AT_ONCE);
      for (const row of rows) yield row.name;
      const last = rows.at(-1);
      if (!last) return;
      after = last.name;
    }
  }

  async *#slices(name: string, first: number, end: number): AsyncGenerator<Uint8Array> {
    let at = first;
    while (at < end) {
      const inChunk = at % CHUNK;
      const length = Math.min(SLICE, CHUNK - inChunk, end - at);
      const slice = (await this.#read.get(sliceOf, name, at - inChunk, inChunk, length))?.bytes;
      // The file was removed while it was read: the response is aborted.
      if (slice?.length !== length) throw new Error(`the bytes of ${name} were removed`);
      yield slice;
      at += length;
    }
  }
}

/** Returns the number of bytes written. */
async function storeChunks(store: Sql, name: string, localFile: string): Promise<number> {
  const file = await open(localFile);
  try {
    // One buffer for all chunks: each is stored before the next is read.
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; ; at += CHUNK) {
      const length = await fill(file, buffer, at);
      if (length > 0) await store.run(insertChunk, name, at, buffer.subarray(0, length));
      if (length < CHUNK) return at + length;
    }
  } finally {
    await file.close();
  }
}

/**
 * Fills the buffer from a position in the file, at the end of the file only partly. Returns the number of bytes read.
 */
async function fill(file: Awaited<ReturnType<typeof open>>, buffer: Buffer, at: number): Promise<number> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, at + length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return length;
  }
}
