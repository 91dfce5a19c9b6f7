import { avatarsAfter, filesAfter, groupAvatarsAfter } from '../../store/files.ts';
import { createHash } from 'node:crypto';
import { copyFileSync, createWriteStream, linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { avatarBytesOf } from '../../files/avatars.ts';
import { pictureBytesOf } from '../../files/emoji.ts';
import { DiskStorage } from '../../files/engines/disk-files.ts';
import type { FileStorage } from '../../files/storage.ts';
import { limits } from '@parley/protocol';
import { idText } from '../../core/ids.ts';
import { emojiAfter } from '../../store/emoji.ts';
import { type Sql } from '../../store/sql.ts';
import { Failure } from '../failure.ts';
import { bytesIn, FILES, linesIn } from './dump.ts';

/** The names under which the bytes of all uploaded files, thumbnails, avatars and custom emoji are stored. */
export async function* namesOfBytes(sql: Sql): AsyncGenerator<string> {
  for await (const { id, thumbnail_size: small } of pages((after) => sql.all(filesAfter, after))) {
    yield idText(id);
    if (small > 0) yield `${idText(id)}-thumbnail`;
  }
  for await (const { name } of pages((after) => sql.all(avatarsAfter, after))) yield avatarBytesOf(name);
  for await (const { name } of pages((after) => sql.all(groupAvatarsAfter, after))) yield avatarBytesOf(name);
  for (const { picture } of await sql.all(emojiAfter, '', limits.customEmoji)) yield pictureBytesOf(picture);
}

async function* pages<Row extends { key: number }>(page: (after: number) => Row[] | Promise<Row[]>) {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await page(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** Copies bytes into the folder; returns their line in the list, or undefined if they were removed meanwhile. */
export async function exportBytes(storage: FileStorage, folder: string, name: string): Promise<string | undefined> {
  const bytes = await storage.read(name);
  if (!bytes) return undefined;
  mkdirSync(bytesIn(folder), { recursive: true, mode: 0o700 });
  const part = join(bytesIn(folder), 'part');
  const summed = sumBytes();
  await pipeline(bytes, summed.pass, createWriteStream(part, { mode: 0o600 }));
  await new DiskStorage(bytesIn(folder)).keep(name, part);
  return `${JSON.stringify([name, ...summed.ends()])}\n`;
}

/** Copies the folder's bytes into a storage, except those that an aborted import has already copied. */
export async function importBytes(folder: string, storage: FileStorage): Promise<void> {
  const there = new Set<string>();
  for await (const name of storage.list()) there.add(name);
  const part = join(bytesIn(folder), 'part');
  for await (const line of linesIn(folder, FILES)) {
    const name = nameIn(line);
    if (there.has(name)) continue;
    rmSync(part, { force: true });
    // `keep` moves the file that it is given.
    linkOrCopy(join(bytesIn(folder), name.slice(-2), name), part);
    await storage.keep(name, part);
  }
}

/** The list's line for stored bytes, computed from their current content. */
export async function lineOfBytes(storage: FileStorage, name: string): Promise<string | undefined> {
  const bytes = await storage.read(name);
  if (!bytes) return undefined;
  const summed = sumBytes();
  await pipeline(bytes, summed.pass, async (chunks) => {
    for await (const chunk of chunks) void chunk;
  });
  return `${JSON.stringify([name, ...summed.ends()])}\n`;
}

export function nameIn(line: string): string {
  const values: unknown = JSON.parse(line);
  const [name]: unknown[] = Array.isArray(values) ? values : [];
  if (typeof name !== 'string' || !/^[\w-]{4,80}$/.test(name)) throw new Failure('the list of files is damaged');
  return name;
}

function sumBytes() {
  const hash = createHash('sha256');
  let size = 0;
  return {
    async *pass(this: void, chunks: Readable | AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        const bytes = chunk as Buffer; // a storage reads bytes, not text
        hash.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    },
    ends: (): [size: number, sha256: string] => [size, hash.digest('hex')],
  };
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // A file system without links.
    copyFileSync(from, to);
  }
}
