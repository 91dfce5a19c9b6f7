import { migrations, sqliteDialect } from '../../store/migrate.ts';
import { Failure } from '../failure.ts';
import { shellRow } from '../shell-row.ts';
import { leapAbove, startAnew } from '../start-anew.ts';
import { FILES, linesIn, type Manifest, readManifest, rowsIn } from './dump.ts';
import { importBytes, lineOfBytes, nameIn } from './move-files.ts';
import { assertEmpty, type Target } from './sides.ts';
import { insertAll, type Sum, Summing, sumOf } from './table-rows.ts';
import { tablesToMove } from './move-tables.ts';

/** A table's checksums on both sides. */
interface Compared {
  what: string;
  exported: Sum;
  imported: Sum;
}

/**
 * Loads a folder into an empty installation, in one transaction, and compares the result with the export (MOVE-2,
 * MOVE-3). Bytes are stored before their rows, as in an upload.
 */
export async function importFrom(
  folder: string,
  target: Target,
  { keys, now }: { keys: readonly string[] | null; now: number },
): Promise<Compared[]> {
  const manifest = readManifest(folder);
  check(manifest, keys);
  await assertEmpty(target.sql, target.name);
  await importBytes(folder, target.storage);
  for (const table of tablesToMove()) await insertAll(target.sql, table, rowsIn(folder, table));
  const compared = await compare(folder, manifest, target);
  const unequal = compared.filter(({ exported, imported }) => exported.sha256 !== imported.sha256);
  if (unequal.length > 0)
    throw new Failure(
      `nothing was imported, because these were not equal: ${unequal.map(({ what }) => what).join(', ')}`,
    );
  const head = manifest.isLive ? leapAbove(manifest.head) : manifest.head;
  // Clients may have received events since a live export (MOVE-4).
  if (manifest.isLive) await startAnew(target.sql, head);
  await target.goOnAbove(head);
  await shellRow(target.sql, now, { command: 'import', details: { folder } });
  await target.commit();
  return compared;
}

function check({ version, tables, keys: exported }: Manifest, keys: readonly string[] | null): void {
  const current = migrations(sqliteDialect).at(-1)?.number ?? 0;
  if (version !== current)
    throw new Failure(`the export is of version ${version}, but this program needs ${current}: export again`);
  for (const { name } of tablesToMove())
    if (!Object.hasOwn(tables, name)) throw new Failure(`the export has no table ${name}`);
  if (keys && !exported.every((key) => keys.includes(key)))
    throw new Failure('SECRETS_KEY is not that of the exported installation, so its secrets could not be opened');
}

async function compare(folder: string, manifest: Manifest, { sql, storage }: Target): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const table of tablesToMove()) {
    const exported = manifest.tables[table.name] ?? { rows: 0, sha256: '' };
    compared.push({ what: table.name, exported, imported: await sumOf(sql, table) });
  }
  const summing = new Summing();
  for await (const line of linesIn(folder, FILES)) {
    const there = await lineOfBytes(storage, nameIn(line));
    if (there !== undefined) summing.add(there);
  }
  compared.push({ what: 'bytes of files', exported: manifest.files, imported: summing.sum() });
  return compared;
}
