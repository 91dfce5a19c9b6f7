import { migrations, sqliteDialect } from '../../store/migrate.ts';
import { FILES, makeDump, type Manifest, writeLines, writeManifest } from './dump.ts';
import { exportBytes, namesOfBytes } from './move-files.ts';
import type { Source } from './sides.ts';
import { lineOf, rowsOf, type Sum, Summing } from './table-rows.ts';
import { tablesToMove } from './move-tables.ts';

interface Exported {
  manifest: Manifest;
  /** Number of files whose bytes were removed during the export. */
  gone: number;
}

/** Writes everything an installation contains, in one snapshot, to a new folder (MOVE-1). */
export async function exportTo(folder: string, source: Source, keys: string[]): Promise<Exported> {
  makeDump(folder);
  const tables: Record<string, Sum> = {};
  for (const table of tablesToMove()) {
    const summing = new Summing();
    await writeLines(folder, table.name, lines(rowsOf(source.sql, table), lineOf, summing));
    tables[table.name] = summing.sum();
  }
  const summing = new Summing();
  let gone = 0;
  const bytes = async function* () {
    for await (const name of namesOfBytes(source.sql)) {
      const line = await exportBytes(source.storage, folder, name);
      if (line === undefined) gone += 1;
      else yield line;
    }
  };
  await writeLines(
    folder,
    FILES,
    lines(bytes(), (line) => line, summing),
  );
  const manifest: Manifest = {
    format: 1,
    version: migrations(sqliteDialect).at(-1)?.number ?? 0,
    head: source.head,
    isLive: source.isLive,
    keys,
    tables,
    files: summing.sum(),
  };
  writeManifest(folder, manifest);
  return { manifest, gone };
}

async function* lines<Item>(items: AsyncIterable<Item>, toLine: (item: Item) => string, summing: Summing) {
  for await (const item of items) {
    const line = toLine(item);
    summing.add(line);
    yield line;
  }
}
