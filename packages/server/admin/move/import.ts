import { emptyIndex, emptyLog, noteAllTrimmed } from '../../store/log.ts';
import { migrations, sqliteDialect } from '../../store/migrate.ts';
import { emptyPushQueue } from '../../store/push-queue.ts';
import { Failure } from '../failure.ts';
import { FILES, linesIn, type Manifest, readManifest, rowsIn } from './dump.ts';
import { importBytes, lineOfBytes, nameIn } from './files.ts';
import { assertEmpty, type Target } from './sides.ts';
import { insertAll, type Sum, Summing, sumOf } from './table-rows.ts';
import { tablesToMove } from './tables.ts';

/** Far above every number that clients may have been told behind an export. */
const COUNTER_LEAP = 2 ** 40;

/** What one side has, and the other. */
export interface Compared {
  what: string;
  exported: Sum;
  imported: Sum;
}

/**
 * Loads a folder into an empty installation, in one transaction, and compares what is there then with what was exported
 * (MOVE-2, MOVE-3). Bytes come before their rows, as they do when they are uploaded.
 */
export async function importFrom(folder: string, target: Target, keys: readonly string[] | null): Promise<Compared[]> {
  const manifest = readManifest(folder);
  check(manifest, keys);
  await assertEmpty(target.sql, target.name);
  await importBytes(folder, target.storage);
  for (const table of tablesToMove()) await insertAll(target.sql, table, rowsIn(folder, table));
  const compared = await compare(folder, manifest, target);
  const unequal = compared.filter(({ exported, imported }) => exported.sha256 !== imported.sha256);
  if (unequal.length > 0)
    throw new Failure(`nothing was imported, as this was not equal: ${unequal.map(({ what }) => what).join(', ')}`);
  const head = manifest.isLive ? manifest.head + COUNTER_LEAP : manifest.head;
  if (manifest.isLive) await startAnew(target, head);
  await target.goOnAbove(head);
  await target.commit();
  return compared;
}

function check({ version, tables, keys: exported }: Manifest, keys: readonly string[] | null): void {
  const current = migrations(sqliteDialect).at(-1)?.number ?? 0;
  if (version !== current)
    throw new Failure(`the export is of version ${version}, and this program knows ${current}: export it anew`);
  for (const { name } of tablesToMove())
    if (!Object.hasOwn(tables, name)) throw new Failure(`the export has no table ${name}`);
  if (keys && !exported.every((key) => keys.includes(key)))
    throw new Failure(
      'SECRETS_KEY is not the one of the exported installation: what it has sealed could not be opened',
    );
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

/** The service went on behind the export: whoever knows more than it has loads anew, and pushes were sent long ago (MOVE-4). */
async function startAnew({ sql }: Target, head: number): Promise<void> {
  await sql.run(emptyLog);
  await sql.run(emptyIndex);
  await sql.run(noteAllTrimmed, head);
  await sql.run(emptyPushQueue);
}
