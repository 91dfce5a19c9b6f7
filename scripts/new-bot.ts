// `npm run new-bot -- PATH [--typescript]`: creates a folder, in the current directory if PATH is a name, for the service at PARLEY_URL.
import { relative } from 'node:path';
import { NewBotError, writeBotFolder } from './new-bot-folder.ts';

const TYPESCRIPT = '--typescript';
const [path, ...more] = process.argv.slice(2).filter((arg) => arg !== TYPESCRIPT);
const isTypeScript = process.argv.includes(TYPESCRIPT);
// npm runs scripts in the package's folder; INIT_CWD is where the command was called.
const here = process.env['INIT_CWD'] ?? process.cwd();
try {
  if (path === undefined || more.length > 0) throw new NewBotError('give exactly one path: npm run new-bot -- my-bot');
  const folder = await writeBotFolder(path, here, { serviceUrl: process.env['PARLEY_URL'] || undefined, isTypeScript });
  process.stdout.write(`${folder}\n\nNow create a bot in the web app, under Settings → Bots → New bot. Then:\n`);
  process.stdout.write(`  cd ${relative(here, folder)} && cp .env.example .env\n`);
  process.stdout.write('Put the token into .env, and start the bot:\n  npm start\n');
} catch (error) {
  if (!(error instanceof NewBotError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
