import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Clock } from '../core/clock.ts';
import { addressIn } from '../service/cluster-config.ts';
import { dataDirOf } from '../service/config.ts';
import { accountCommands } from './account-commands.ts';
import { backUp } from './backup.ts';
import { check } from './check.ts';
import { Failure, messageOf, Misuse } from './failure.ts';
import { backUpFiles, filesOf } from './file-copies.ts';
import { moveCommands } from './move/commands.ts';
import type { Terminal } from './password-input.ts';
import { request, type Site } from './reach.ts';
import { resealSecrets } from './reseal-secrets.ts';
import { restore } from './restore.ts';
import { sessionCommands } from './session-commands.ts';

export interface Surroundings extends Terminal {
  env: Readonly<Record<string, string | undefined>>;
  stdout: { write(text: string): unknown };
  clock: Clock;
}

/** What the commands are given: the place, where to speak, whom to ask. */
export interface Desk extends Terminal {
  site: () => Site;
  /** The folder of one process; a Failure that says what to do instead where there are several nodes. */
  folder: (instead: string) => string;
  say: (line: string) => void;
}

/** Answers the exit code: 0, or 1 when it failed, or 2 when it was called in a wrong way (ADMIN-1). */
export async function runAdmin(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2> {
  try {
    await createProgram(surroundings).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Its text is printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    surroundings.stderr.write(`error: ${messageOf(error)}\n`);
    return error instanceof Misuse ? 2 : 1;
  }
}

function createProgram({ env, stdin, stdout, stderr, clock }: Surroundings): Command {
  const program = new Command('npm run admin --')
    .description('What whoever runs a Parley does to it.')
    .option('--data-dir <folder>', 'where the database lies (else DATA_DIR, from the environment or .env)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void stdout.write(text), writeErr: (text) => void stderr.write(text) })
    .addHelpText(
      'after',
      `
account, sessions and recount work through the running service of the folder: tokens and sockets end at once. Where none runs
they change the database itself, as they do with DATABASE_URL: all nodes know of it within a second. backup, check, reseal and export may run beside the service, restore and import may not.
Exit codes: 0, 1 when it failed, 2 when it was called in a wrong way.`,
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
      if (databaseUrl() !== null)
        throw new Failure(`DATABASE_URL is set, and this is for one process alone: ${instead}`);
      return dataDir();
    },
  };
  accountCommands(program.command('account').description('make accounts, shut them out, give them passwords'), desk);
  sessionCommands(program.command('sessions').description('see and end the sessions of an account'), desk);
  storeCommands(program, env, desk);
  moveCommands(program, { env, say, dataDir });
  return program;
}

function storeCommands(program: Command, env: Surroundings['env'], { say, site, folder }: Desk): void {
  program
    .command('backup')
    .description('write the database as it is now into a new file, while the service runs')
    .argument('<file>', 'is never overwritten')
    .action((file: string) => {
      const dataDir = folder('pg_dump copies PostgreSQL');
      if (existsSync(filesOf(file))) throw new Failure(`${filesOf(file)} is there already, and is not overwritten`);
      backUp(dataDir, file);
      const files = backUpFiles(dataDir, file);
      if (files > 0) say(`${filesOf(file)} holds the bytes of ${files} uploaded files: keep it beside ${file}.`);
      say(`${file} holds the database, but not its key: keep secrets.key (or SECRETS_KEY) apart from it.`);
      say('Without the key nobody can open the sealed secrets of agents, not even you.');
    });
  program
    .command('restore')
    .description('put a backup into the place of the database; the service must be stopped')
    .argument('<file>', 'what `backup` wrote')
    .action((file: string) => {
      const dataDir = folder('pg_restore puts a copy of PostgreSQL back, as docs/RUNNING.md tells');
      const { aside, files, strays } = restore({ dataDir, clock: site().clock }, file);
      say(`The database is the one of ${file}; every client will load anew.`);
      if (aside !== undefined) say(`The former one lies in ${aside}.`);
      if (files > 0) say(`${files} uploaded files were put back.`);
      if (strays > 0)
        say(
          `${strays} that it does not name are removed in seven days; until then the former database can be put back.`,
        );
      say('Sessions, passwords and bots that were ended or changed since the backup are as they were then.');
      if (!env['SECRETS_KEY'] && !existsSync(join(dataDir, 'secrets.key')))
        say(`Put secrets.key into ${dataDir} before the service starts, or it will make a new one.`);
    });
  program
    .command('reseal')
    .description('seal all secrets under the first key of SECRETS_KEY, after which the others may go')
    .addHelpText(
      'after',
      '\nBegin with a restart of the service that has the new key first and the old ones behind it.',
    )
    .action(async () => {
      const { resealed, already, failed } = await resealSecrets(site(), env);
      say(`${resealed} sealed anew, ${already} were already`);
      if (failed > 0)
        throw new Failure(`no key opens ${failed} secrets: they stay as they are, and so must the old keys`);
    });
  program
    .command('check')
    .description('look whether the file is whole and its rows name only what is there')
    .action(() => {
      const { counts, problems } = check(folder('PostgreSQL keeps its own rows whole'));
      for (const [what, count] of counts) say(`${what}: ${count}`);
      if (problems.length > 0) throw new Failure(`this is wrong:\n${problems.join('\n')}`);
      say('all is well');
    });
  program
    .command('recount')
    .description(
      'sum up again what each person and its bots store: after an upgrade without downtime, or when `check` finds it wrong',
    )
    .action(async () => say(`counts corrected: ${await request(site(), 'recount', {})}`));
}
