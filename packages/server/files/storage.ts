// files/: uploaded files. `storage.ts` is the port for their bytes, `engines/` implements it; `spool.ts` receives a
// file, `inspector.ts` inspects it in a separate process, `signatures.ts` signs the URLs of files, and `removals.ts`
// removes bytes that no row names. `files.ts` combines them.
import type { Readable } from 'node:stream';

/** Bytes of a file from `first` to `last`, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The port for stored bytes, under names that the service chooses: letters, digits, `-` and `_`. */
export interface FileStorage {
  /** Moves a local file into the storage. The bytes are durable when it resolves. */
  keep(name: string, localFile: string): Promise<void>;
  /** The bytes or a range of them; undefined if nothing is stored under the name. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes the bytes; a name that is not stored is not an error. */
  remove(name: string): Promise<void>;
  /** The names of everything stored, in any order. */
  list(): AsyncIterable<string>;
}

const NAME = /^[\w-]{4,80}$/;

/** The service chooses all names; this makes sure that no other input becomes a path (FILE-8). */
export function assertName(name: string): void {
  if (!NAME.test(name)) throw new Error('invalid name of stored bytes');
}
