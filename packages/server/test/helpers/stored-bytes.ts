import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '@parley/testing';
import { allRows } from './rows-in.ts';

/** Everything that is stored: the files on disk, or the rows in PostgreSQL. */
export async function storedBytes(world: World): Promise<Buffer> {
  if (world.isShared) return rowsAsBytes(world);
  const files = ['parley.db', 'parley.db-wal'].map((name) => join(world.dataDir, name));
  return Buffer.concat(files.filter((file) => existsSync(file)).map((file) => readFileSync(file)));
}

/** The concatenated texts and bytes of all rows. */
async function rowsAsBytes(world: World): Promise<Buffer> {
  const values = (await allRows(world)).flatMap(([, rows]) => rows.flatMap((row) => Object.values(row)));
  return Buffer.concat(values.map((value) => Buffer.from(value instanceof Uint8Array ? value : `${value}\n`)));
}
