import { randomUUID } from 'node:crypto';

/** Base64 in a request's body, behind a prefix. It stays bytes: as a string, megabytes would be copied and escaped. */
export class Encoded {
  readonly prefix: string;
  readonly data: Buffer;

  constructor(prefix: string, data: Buffer) {
    this.prefix = prefix;
    this.data = data;
  }
}

/** JSON text as bytes, in which each Encoded is a string. */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  const inserted: Buffer[] = [];
  // Random, so that no text of a user contains it.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof Encoded)) return item;
    inserted.push(item.data);
    return item.prefix + mark;
  });
  const pieces = text.split(mark).flatMap((piece, at) => [Buffer.from(piece), ...(inserted[at] ? [inserted[at]] : [])]);
  return Buffer.concat(pieces);
}
