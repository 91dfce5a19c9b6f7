import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Clock } from '../core/clock.ts';
import { newVapidLines } from '../push/push-config.ts';
import { addressIn } from '../service/cluster-config.ts';
import { dataDirOf } from '../service/config.ts';
import { accountCommands } from './account-commands.ts';
import { backendCommands } from './backend-commands.ts';
import { afterRestore } from './after-restore.ts';
import { backUp } from './backup.ts';
import { check } from './check.ts';
import { isCurrent } from './database.ts';
import { emojiCommands } from './emoji-commands.ts';
import { Failure, messageOf, Misuse } from './failure.ts';
import { backUpFiles, filesOf } from './file-copies.ts';
import { houseCommands } from './house-commands.ts';
import { moveCommands } from './move/commands.ts';
import type { Terminal } from './password-input.ts';
import { request, type Site } from './reach.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { restore } from './restore.ts';
import { noteCommand } from './shell-row.ts';
import { sessionCommands } from './session-commands.ts';

export interface AdminContext extends Terminal {
  env: Readonly<Record<string, string | undefined>>;
  stdout: { write(text: string): unknown };
  clock: Clock;
}

/** Passed to all commands: where the installation is, where to print, and how to ask for input. */
export interface Desk extends Terminal {
  site: () => Site;
  /** The data folder of a single process; with several nodes throws a Failure that says what to do instead. */
  folder: (instead: string) => string;
  say: (line: string) => void;
}

/** Returns the exit code: 0, 1 for a failure, 2 for wrong usage (ADMIN-1). */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<0 | 1 | 2> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.stderr.write(`error: ${messageOf(error)}\n`);
    return error instanceof Misuse ? 2 : 1;
  }
}

export function createProgram({ env, stdin, stdout, stderr, clock }: AdminContext): Command {
  const program = new Command('npm run admin --')
    .description('Administer a Parley installation.')
    .option('--data-dir <folder>', 'the folder of the database (default: DATA_DIR from the environment or .env)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(text) })
    .addHelpText(
      'after',
      `
account, sessions, backends, house, emoji and recount work through the service that runs in the folder, so that tokens and sockets
end at once. If none runs, or DATABASE_URL is set, they change the database, which all nodes notice within a second.
backup, check, reseal and export may run beside the service; restore, after-restore and import may not.
Exit codes: 0 for success, 1 for a failure, 2 for wrong usage.`,
    );
  const dataDir = (): string => {
    const { dataDir: given } = program.opts<{ dataDir?: string }>();
    return given === undefined ? dataDirOf(env) : resolve(given);
  };
  const databaseUrl = () => addressIn('DATABASE_URL', (name) => env[name] || undefined);
  const say = (line: string): void => void stdout.write(`${line}\n`);
  const desk: Desk = {
    stdin,
    stderr,
    say,
    site: () => ({ dataDir: dataDir(), databaseUrl: databaseUrl(), clock }),
    folder(instead) {
      if (databaseUrl() !== null) throw new Failure(`this command does not work with DATABASE_URL: ${instead}`);
      return dataDir();
    },
  };
  accountCommands(
    program.command('account').description('create, disable and enable accounts, set roles, and reset passwords'),
    desk,
  );
  sessionCommands(program.command('sessions').description('list and end the sessions of an account'), desk);
  backendCommands(
    program.command('backends').description('let products with users of their own create tokens for them'),
    desk,
    env,
  );
  houseCommands(
    program.command('house').description('give everyone an agent that answers at the cost of a key of the operator’s'),
    desk,
    env,
  );
  emojiCommands(program.command('emoji').description('delete custom emoji'), desk);
  storeCommands(program, env, desk);
  program
    .command('push-keys')
    .description('print new keys for web pushes, as three lines for .env')
    .action(() => newVapidLines().forEach(say));
  moveCommands(program, { env, say, dataDir, clock });
  return program;
}

function storeCommands(program: Command, env: AdminContext['env'], { say, site, folder }: Desk): void {
  program
    .command('backup')
    .description('write a snapshot of the database to a new file; the service may run')
    .argument('<file>', 'must not exist')
    .action(async (file: string) => {
      const dataDir = folder('back up PostgreSQL with pg_dump');
      if (existsSync(filesOf(file))) throw new Failure(`${filesOf(file)} already exists and is not overwritten`);
      // One of an earlier version, which is backed up before the first start of this one, has no such audit.
      if (isCurrent(dataDir)) await noteCommand(site(), { command: 'backup', details: { file } });
      backUp(dataDir, file);
      const files = backUpFiles(dataDir, file);
      if (files > 0) say(`${filesOf(file)} holds the bytes of ${files} uploaded files: keep it beside ${file}.`);
      say(`${file} holds the database without its key: keep secrets.key (or SECRETS_KEY) apart from it.`);
      say('Without the key the sealed secrets of agents cannot be opened.');
    });
  program
    .command('restore')
    .description('replace the database with a backup; the service must be stopped')
    .argument('<file>', 'a file written by `backup`')
    .action(async (file: string) => {
      const dataDir = folder(
        'restore PostgreSQL with pg_restore, and run `after-restore`, as docs/RUNNING.md explains',
      );
      const { aside, files, strays } = await restore({ dataDir, clock: site().clock }, file);
      say(`Restored the database from ${file}; every client will reload.`);
      if (aside !== undefined) say(`The previous database is now ${aside}.`);
      if (files > 0) say(`Restored ${files} uploaded files.`);
      if (strays > 0)
        say(`${strays} files that the backup does not name are deleted in seven days; until then you can go back.`);
      say('Sessions, passwords and bots are as they were at the time of the backup, also if they were ended since.');
      if (!env['SECRETS_KEY'] && !existsSync(join(dataDir, 'secrets.key')))
        say(`Put secrets.key into ${dataDir} before you start the service; otherwise it makes a new one.`);
    });
  program
    .command('after-restore')
    .description(
      'make every client reload, after the database was put back by other means; the service must be stopped',
    )
    .addHelpText(
      'after',
      '\nUse it after pg_restore, after a standby took over that had not received everything, and after a copy of the disk.',
    )
    .action(async () => {
      const head = await afterRestore(site());
      say(`The log goes on at number ${head}; every client will reload once the service runs.`);
    });
  program
    .command('reseal')
    .description('seal all secrets under the first key of SECRETS_KEY, so that the others can be removed')
    .addHelpText('after', '\nFirst restart the service with the new key in front of the old ones.')
    .action(async () => {
      const { resealed, already, failed } = await resealSecrets(site(), env);
      say(`resealed: ${resealed}, already under the first key: ${already}`);
      if (failed > 0) throw new Failure(`no key opens ${failed} secrets: they are unchanged; keep the old keys`);
    });
  program
    .command('check')
    .description('check the database file for damage and for rows that refer to missing rows')
    .action(async () => {
      const { counts, problems } = check(folder('PostgreSQL checks its own rows'));
      for (const [what, count] of counts) say(`${what}: ${count}`);
      if (problems.length > 0) throw new Failure(`problems found:\n${problems.join('\n')}`);
      // A database with problems is left as it is.
      await noteCommand(site(), { command: 'check' });
      say('no problems found');
    });
  program
    .command('recount')
    .description('recount what each human and its bots store: after an upgrade without downtime, or if `check` says so')
    .action(async () => say(`counts corrected: ${await request(site(), 'recount', {})}`));
}
