import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** The bytes of all files below a folder, by their paths in it. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length), readFileSync(file, 'base64')]),
  );

const AUDIT = '/audit.jsonl';
const MANIFEST = '/manifest.json';

const rowsOf = (folder: string): unknown[][] =>
  readFileSync(join(folder, AUDIT), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[]); // a row of a table, as its columns

function manifestOf(folder: string): unknown {
  const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as { tables: Record<string, unknown> };
  const { audit, ...tables } = manifest.tables;
  expect(audit).toBeDefined();
  return { ...manifest, tables };
}

/**
 * Expects an installation that was exported, imported and exported again to be unchanged: every byte is the same, but for
 * the rows that both commands have added to the audit (AUDIT-2).
 */
export function expectUnchanged(exported: string, again: string): void {
  const [before, after] = [filesIn(exported), filesIn(again)];
  for (const files of [before, after]) {
    delete files[AUDIT];
    delete files[MANIFEST];
  }
  expect(after).toEqual(before);
  expect(manifestOf(again)).toEqual(manifestOf(exported));
  const rows = rowsOf(exported);
  expect(rowsOf(again).slice(0, rows.length)).toEqual(rows);
  const added = rowsOf(again).slice(rows.length);
  expect(added.map(([, , , actor, action]) => [actor, action])).toEqual([
    ['shell', 'import'],
    ['shell', 'export'],
  ]);
}
