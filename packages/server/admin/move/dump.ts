import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { flush } from '../backup.ts';
import { Failure } from '../failure.ts';
import { type Row, rowIn } from './table-rows.ts';
import type { Table } from './tables.ts';

const sum = z.object({ rows: z.int().nonnegative(), sha256: z.string() });
const manifest = z.object({
  format: z.literal(1),
  /** The number of the last migration. */
  version: z.int(),
  /** Above every number that anybody was told. */
  head: z.int().nonnegative(),
  /** A service went on writing behind it: clients may know of more than is here. */
  isLive: z.boolean(),
  /** By which the keys of the installation are known again. */
  keys: z.array(z.string()),
  tables: z.record(z.string(), sum),
  files: sum,
});
/** What a folder says of itself: written last, so that one that was cut short is not taken for whole. */
export type Manifest = z.infer<typeof manifest>;

const manifestIn = (folder: string): string => join(folder, 'manifest.json');
const tableIn = (folder: string, name: string): string => join(folder, `${name}.jsonl`);
export const bytesIn = (folder: string): string => join(folder, 'files');
/** The names, sizes and sums of the files. */
export const FILES = 'files-list';

/** A folder for the owner alone, which must not be there yet. */
export function makeDump(folder: string): void {
  if (existsSync(folder)) throw new Failure(`${folder} is there already, and is not overwritten`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Writes lines as they come, and sees to it that they are on the disk. */
export async function writeLines(folder: string, name: string, lines: AsyncIterable<string>): Promise<void> {
  const file = tableIn(folder, name);
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    for await (const line of lines) writeFileSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
  flush(file);
}

/** Parted at line feeds alone: JSON has other ends of lines inside of texts. */
export async function* linesIn(folder: string, name: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(tableIn(folder, name), 'utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Failure(`${tableIn(folder, name)} was cut short`);
}

export async function* rowsIn(folder: string, table: Table): AsyncGenerator<Row> {
  for await (const line of linesIn(folder, table.name)) yield rowIn(line, table);
}

export function writeManifest(folder: string, content: Manifest): void {
  const part = `${manifestIn(folder)}.part`;
  writeFileSync(part, JSON.stringify(content, null, 2), { mode: 0o600 });
  flush(part);
  renameSync(part, manifestIn(folder));
}

export function readManifest(folder: string): Manifest {
  if (!existsSync(manifestIn(folder))) throw new Failure(`${folder} is no export, or one that was cut short`);
  const content = manifest.safeParse(JSON.parse(readFileSync(manifestIn(folder), 'utf8')));
  if (!content.success) throw new Failure(`the manifest of ${folder} is damaged`);
  return content.data;
}
