// `npm run new-bot -- PATH [--typescript | --acp "command"]`: creates a folder, in the current directory if PATH is a name,
// for the service at PARLEY_URL. With `--acp` the bot is a bridge to this agent of the Agent Client Protocol.
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { NewBotError, writeBotFolder } from './new-bot-folder.ts';

const options = { typescript: { type: 'boolean', default: false }, acp: { type: 'string' } } as const;

/** Throws NewBotError. */
function readArguments() {
  // Not strict: an unknown option is read as a name, and refused as one.
  const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false });
  const unknown = Object.keys(values).filter((name) => !(name in options));
  const [path, ...more] = [...positionals, ...unknown.map((name) => `--${name}`)];
  if (path === undefined || more.length > 0) throw new NewBotError('give exactly one path: npm run new-bot -- my-bot');
  const { typescript, acp } = values;
  return { path, isTypeScript: typescript === true, acp: typeof acp === 'boolean' ? '' : acp };
}

// npm runs scripts in the package's folder; INIT_CWD is where the command was called.
const here = process.env['INIT_CWD'] ?? process.cwd();
try {
  const { path, ...more } = readArguments();
  const folder = await writeBotFolder(path, here, { serviceUrl: process.env['PARLEY_URL'] || undefined, ...more });
  process.stdout.write(`${folder}\n\nNow create a bot in the web app, under Settings → Bots → New bot. Then:\n`);
  process.stdout.write(`  cd ${relative(here, folder)} && cp .env.example .env\n`);
  process.stdout.write('Put the token into .env, and start the bot:\n  npm start\n');
} catch (error) {
  if (!(error instanceof NewBotError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
