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
import type { Table } from './move-tables.ts';

const sum = z.object({ rows: z.int().nonnegative(), sha256: z.string() });
const manifest = z.object({
  format: z.literal(1),
  /** The number of the last migration. */
  version: z.int(),
  /** A log number that is not below any number that a client may have received. */
  head: z.int().nonnegative(),
  /** True if a service was running: clients may have received events that it wrote after the export's snapshot. */
  isLive: z.boolean(),
  /** Fingerprints that identify the keys of the installation. */
  keys: z.array(z.string()),
  tables: z.record(z.string(), sum),
  files: sum,
});
/** Describes the folder. Written last, so that a partial export is not mistaken for a complete one. */
export type Manifest = z.infer<typeof manifest>;

const manifestIn = (folder: string): string => join(folder, 'manifest.json');
const tableIn = (folder: string, name: string): string => join(folder, `${name}.jsonl`);
export const bytesIn = (folder: string): string => join(folder, 'files');
/** Name of the list of files, with their sizes and checksums. */
export const FILES = 'files-list';

/** Creates a folder readable only by its owner; fails if it exists. */
export function makeDump(folder: string): void {
  if (existsSync(folder)) throw new Failure(`${folder} already exists and is not overwritten`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Writes lines to a file as they arrive, and waits until they are durable. */
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

/** Splits at line feeds only: JSON strings may contain other line terminators. */
export async function* linesIn(folder: string, name: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(tableIn(folder, name), 'utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Failure(`${tableIn(folder, name)} is truncated`);
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
  if (!existsSync(manifestIn(folder))) throw new Failure(`${folder} is not a complete export`);
  const content = manifest.safeParse(JSON.parse(readFileSync(manifestIn(folder), 'utf8')));
  if (!content.success) throw new Failure(`the manifest of ${folder} is damaged`);
  return content.data;
}
