import type { Command } from 'commander';
import type { Clock } from '../../core/clock.ts';
import { addressIn } from '../../service/cluster-config.ts';
import { noteCommand } from '../shell-row.ts';
import { embeddedSource, embeddedTarget } from './embedded-sides.ts';
import { exportTo } from './export.ts';
import { importFrom } from './import.ts';
import { fingerprints } from './move-keys.ts';
import { postgresSource, postgresTarget } from './postgres-sides.ts';

interface MoveDesk {
  env: Readonly<Record<string, string | undefined>>;
  say: (line: string) => void;
  dataDir: () => string;
  clock: Clock;
}

/**
 * Adds the commands that move an installation between engines: each uses PostgreSQL if DATABASE_URL is set, otherwise
 * the folder.
 */
export function moveCommands(program: Command, { env, say, dataDir, clock }: MoveDesk): void {
  const databaseUrl = () => addressIn('DATABASE_URL', (name) => env[name] || undefined);
  program
    .command('export')
    .description('write everything an installation contains to a new folder, to be imported elsewhere')
    .argument('<folder>', 'must not exist')
    .action(async (folder: string) => {
      const keys = fingerprints(env, dataDir());
      const url = databaseUrl();
      // Before the snapshot is open, which can keep others from writing.
      await noteCommand({ dataDir: dataDir(), databaseUrl: url, clock }, { command: 'export', details: { folder } });
      await using source = await (url === null ? embeddedSource(dataDir()) : postgresSource(url));
      const { manifest, gone } = await exportTo(folder, source, keys);
      for (const [name, { rows }] of Object.entries(manifest.tables)) say(`${name}: ${rows}`);
      say(`bytes of files: ${manifest.files.rows}`);
      if (gone > 0) say(`files deleted during the export: ${gone}`);
      say(`${folder} holds ${source.name} without its key: keep secrets.key (or SECRETS_KEY).`);
      if (manifest.isLive)
        say('A service is running, and what it writes from now on is not in the export: stop it first to move.');
    });
  program
    .command('import')
    .description('load an export into an empty installation, and compare both sides')
    .argument('<folder>', 'a folder written by `export`')
    .action(async (folder: string) => {
      const keys = fingerprints(env, dataDir());
      const url = databaseUrl();
      await using target = url === null ? embeddedTarget(dataDir()) : await postgresTarget(url);
      const compared = await importFrom(folder, target, {
        keys: keys.length > 0 ? keys : null,
        now: clock.now(),
      });
      say('exported = imported, compared by checksums:');
      for (const { what, exported, imported } of compared)
        say(`${what}: ${exported.rows} = ${imported.rows}, ${imported.sha256.slice(0, 16)}`);
      say(`${target.name} equals the export.`);
      if (keys.length === 0)
        say(`Put secrets.key into ${dataDir()} before you start the service; otherwise it makes a new one.`);
    });
}
