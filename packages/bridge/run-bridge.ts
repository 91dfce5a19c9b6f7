import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { StartError } from '@parley/client/bot';
import { agentEnvironment } from './agent-environment.ts';
import { Bridge, type BridgeOptions } from './bridge.ts';
import { splitCommand } from './split-command.ts';

const HELP = `Makes an agent of the Agent Client Protocol a member of conversations.

  parley-bridge --acp "command of the agent"

  --acp COMMAND     starts the agent, without a shell
  --url URL         the service; by default PARLEY_URL, or http://127.0.0.1:8080
  --cwd FOLDER      the folder that the agent works in; by default one for each conversation
  --state FOLDER    what outlives the bridge; by default .parley-bridge
  --env NAME        passes this variable to the agent; may be repeated
  --deciders WHO    who answers its permission prompts: asker (default), admins, anyone
  --no-fs           offers the agent no files through the bridge

The bot's token is PARLEY_TOKEN, in the environment or in a file .env here.
`;

const DECIDERS = ['asker', 'admins', 'anyone'] as const;

/** The settings of a command line. Throws TypeError with a sentence for its user; null for --help (BRIDGE-1). */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): BridgeOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      acp: { type: 'string' },
      url: { type: 'string' },
      cwd: { type: 'string' },
      state: { type: 'string', default: '.parley-bridge' },
      env: { type: 'string', multiple: true, default: [] },
      deciders: { type: 'string', default: 'asker' },
      'no-fs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (values.acp === undefined) throw new TypeError('give the command of the agent: --acp "command"; --help says more');
  const deciders = DECIDERS.find((one) => one === values.deciders);
  if (!deciders) throw new TypeError(`--deciders is one of ${DECIDERS.join(', ')}`);
  const token = environment['PARLEY_TOKEN'] ?? '';
  if (token === '')
    throw new TypeError(
      'put the token of the bot, mb_…, into PARLEY_TOKEN or .env: Settings → Bots → New bot shows it',
    );
  if (values.env.includes('PARLEY_TOKEN')) throw new TypeError('the token of the bot is not for the agent');
  if (values.cwd !== undefined && !existsSync(values.cwd)) throw new TypeError(`there is no folder ${values.cwd}`);
  return {
    command: splitCommand(values.acp),
    env: agentEnvironment(environment, values.env),
    hasFiles: !values['no-fs'],
    url: values.url ?? environment['PARLEY_URL'] ?? 'http://127.0.0.1:8080',
    token,
    state: resolve(values.state),
    deciders,
    ...(values.cwd !== undefined && { cwd: resolve(values.cwd) }),
  };
}

/** Runs the bridge of a command line until it is stopped. */
export async function runBridge(args: readonly string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    const options = readArguments(args, process.env);
    if (!options) return void process.stdout.write(HELP);
    const bridge = new Bridge(options);
    process.once('exit', () => bridge.close());
    // The bot ends on these by itself; the programs of the agent would keep this one alive.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void bridge.stop());
    if (await bridge.start()) process.stdout.write(`${bridge.bot.username} is listening\n`);
  } catch (error) {
    const isExpected = error instanceof TypeError || error instanceof StartError;
    process.stderr.write(`${isExpected ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
