import type { Command } from 'commander';
import { addressIn } from '../../service/cluster-config.ts';
import { embeddedSource, embeddedTarget } from './embedded-sides.ts';
import { exportTo } from './export.ts';
import { importFrom } from './import.ts';
import { fingerprints } from './keys.ts';
import { postgresSource, postgresTarget } from './postgres-sides.ts';

export interface MoveDesk {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  dataDir: () => string;
}

/** Between engines: each command speaks of PostgreSQL where DATABASE_URL is set, else of the folder. */
export function moveCommands(program: Command, { env, say, dataDir }: MoveDesk): void {
  const databaseUrl = () => addressIn('DATABASE_URL', (name) => env[name] || undefined);
  program
    .command('export')
    .description('write all that an installation holds into a new folder, to be imported elsewhere')
    .argument('<folder>', 'is never overwritten')
    .action(async (folder: string) => {
      const keys = fingerprints(env, dataDir());
      const url = databaseUrl();
      await using source = await (url === null ? embeddedSource(dataDir()) : postgresSource(url));
      const { manifest, gone } = await exportTo(folder, source, keys);
      for (const [name, { rows }] of Object.entries(manifest.tables)) say(`${name}: ${rows}`);
      say(`bytes of files: ${manifest.files.rows}`);
      if (gone > 0) say(`${gone} files were deleted meanwhile`);
      say(`${folder} holds ${source.name} as it was, without its key: keep secrets.key (or SECRETS_KEY).`);
      if (manifest.isLive)
        say('A service works on it, and what it writes from now on is not in the export: to move, stop it first.');
    });
  program
    .command('import')
    .description('load an export where nothing is yet, and compare both sides')
    .argument('<folder>', 'what `export` wrote')
    .action(async (folder: string) => {
      const keys = fingerprints(env, dataDir());
      const url = databaseUrl();
      await using target = url === null ? embeddedTarget(dataDir()) : await postgresTarget(url);
      const compared = await importFrom(folder, target, keys.length > 0 ? keys : null);
      say('exported = imported, by their sums:');
      for (const { what, exported, imported } of compared)
        say(`${what}: ${exported.rows} = ${imported.rows}, ${imported.sha256.slice(0, 16)}`);
      say(`${target.name} is equal to what was exported.`);
      if (keys.length === 0)
        say(`Put secrets.key into ${dataDir()} before the service starts, or it will make a new one.`);
    });
}
