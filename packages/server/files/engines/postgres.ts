import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { PostgresPool } from '../../store/engines/postgres-pool.ts';
import { PostgresSeat } from '../../store/engines/postgres-seat.ts';
import type { Sql, SqlValue, Statement } from '../../store/sql.ts';
import { assertName, type ByteRange, type FileStorage } from '../storage.ts';

/** Bytes of a row. A part of one is read without the rest. */
const CHUNK = 512 * 1024;
/** Read at once: so much of a file is in memory for each of its readers. */
const SLICE = 256 * 1024;
/** Chunks removed at once. A statement that goes on for long would keep all tables from being tidied. */
const REMOVED_AT_ONCE = 32;
const LISTED_AT_ONCE = 1_000;
const READERS = 2;

// Not made by `statement`: these texts are for PostgreSQL alone.
const sql = <Row, Params extends readonly SqlValue[] = []>(text: string): Statement<Row, Params> => ({ sql: text });
const sizeOf = sql<{ size: number }, [name: string]>('SELECT size FROM stored_files WHERE name = $1');
const sliceOf = sql<{ bytes: Uint8Array }, [name: string, at: number, from: number, length: number]>(
  'SELECT substring(bytes FROM $3::int + 1 FOR $4::int) AS bytes FROM file_chunks WHERE name = $1 AND at = $2',
);
const namesAfter = sql<{ name: string }, [after: string, limit: number]>(
  'SELECT name FROM stored_files WHERE name > $1 ORDER BY name LIMIT $2',
);
/** Not flushed by itself: the row in `stored_files` is, and whatever came before it with it. */
const insertChunk = sql<never, [name: string, at: number, bytes: Uint8Array]>(
  `INSERT INTO file_chunks (name, at, bytes)
   SELECT $1, $2::bigint, $3::bytea FROM set_config('synchronous_commit', 'off', true)`,
);
const insertFile = sql<never, [name: string, size: number]>(
  `INSERT INTO stored_files (name, size) SELECT $1, $2::bigint
   WHERE $2::bigint = (SELECT coalesce(sum(octet_length(bytes)), 0) FROM file_chunks WHERE name = $1)`,
);
const deleteFile = sql<never, [name: string]>('DELETE FROM stored_files WHERE name = $1');
const deleteChunks = sql<never, [name: string, limit: number]>(
  `DELETE FROM file_chunks WHERE name = $1
   AND at IN (SELECT at FROM file_chunks WHERE name = $1 ORDER BY at LIMIT $2)`,
);

export interface PostgresStoragePorts {
  /** Answers with whole slices: nothing that is to be quick should come by the same connections. */
  read: Sql;
  /** A connection that writes, the same one until it is lost. */
  write: () => Promise<Sql>;
}

/**
 * Bytes as rows of PostgreSQL, so that every node has them. Each chunk is a commit of its own, as a long transaction
 * would keep dead rows of all tables alive; the row in `stored_files` comes last, and only with it is a file there.
 * What a node that died has left is removed by its name, which is on the list of removals before the first chunk.
 */
export class PostgresStorage implements FileStorage {
  readonly #read: Sql;
  readonly #write: () => Promise<Sql>;

  constructor({ read, write }: PostgresStoragePorts) {
    this.#read = read;
    this.#write = write;
  }

  /** With connections of its own. */
  static async open({ url }: { url: string }): Promise<{ storage: PostgresStorage; close(): Promise<void> }> {
    const read = await PostgresPool.open({ url, name: 'parley files', size: READERS });
    const seat = new PostgresSeat({ url, name: 'parley files' });
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
      // One connection for all of it: a server that comes again need not have what it has not flushed.
      const store = await this.#write();
      const size = await storeChunks(store, name, localFile);
      if ((await store.run(insertFile, name, size)) === 0) throw new Error(`not all bytes of ${name} are there`);
    } catch (error) {
      // Whatever cannot be removed now is on the list.
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
    // Bytes, not objects: a slice is fetched when the one before it has been taken.
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
      // Removed meanwhile: the reader is told by an answer that breaks off.
      if (slice?.length !== length) throw new Error(`the bytes of ${name} are gone`);
      yield slice;
      at += length;
    }
  }
}

/** Answers the size of what was written. */
async function storeChunks(store: Sql, name: string, localFile: string): Promise<number> {
  const file = await open(localFile);
  try {
    // Each chunk is stored before the next one is read: they have the same memory.
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

/** As much of a file from a place on as there is, and as the buffer has room for. */
async function fill(file: Awaited<ReturnType<typeof open>>, buffer: Buffer, at: number): Promise<number> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, at + length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return length;
  }
}
