// files/: uploaded files. `storage.ts` is the port of their bytes and `engines/` its engines; `spool.ts` takes a file in,
// `inspector.ts` looks at it in a process of its own, `signatures.ts` makes the addresses under which it is read,
// `removals.ts` sees to it that no bytes outlive their rows. `files.ts` puts the parts together.
import type { Readable } from 'node:stream';

/** Bytes of a file from `first` to `last`, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** The port of what is stored as bytes, under names that the service gives: letters, digits, `-` and `_`. */
export interface FileStorage {
  /** Takes over a file of the local disk, which is gone from its place afterwards. Durable when it resolves. */
  keep(name: string, localFile: string): Promise<void>;
  /** The bytes, or a range of them; undefined when there are none of that name. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Nothing of that name is no error. */
  remove(name: string): Promise<void>;
  /** The names of all that is stored, in any order. */
  list(): AsyncIterable<string>;
}

const NAME = /^[\w-]{4,80}$/;

/** Names are the service's own; whatever comes otherwise must not lead elsewhere (FILE-8). */
export function assertName(name: string): void {
  if (!NAME.test(name)) throw new Error('not a name of stored bytes');
}
