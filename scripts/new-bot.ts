// `npm run new-bot -- NAME`: a folder of that name, where the command was given, for the service at PARLEY_URL.
import { relative } from 'node:path';
import { NewBotError, writeBotFolder } from './new-bot-folder.ts';

const [name, ...more] = process.argv.slice(2);
// npm runs scripts in the package's folder, and tells where it was called.
const here = process.env['INIT_CWD'] ?? process.cwd();
try {
  if (name === undefined || more.length > 0) throw new NewBotError('give one name: npm run new-bot -- my-bot');
  const folder = await writeBotFolder(name, here, process.env['PARLEY_URL'] || undefined);
  process.stdout.write(`${folder}\n\nNow make a bot in the web app, under Settings → Bots → New bot. Then:\n`);
  process.stdout.write(`  cd ${relative(here, folder)} && cp .env.example .env\n`);
  process.stdout.write('put the token into .env, and start it:\n  npm start\n');
} catch (error) {
  if (!(error instanceof NewBotError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
