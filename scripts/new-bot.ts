// `npm run new-bot -- NAME`: a folder of that name, where the command was given.
import { relative } from 'node:path';
import { NewBotError, writeBotFolder } from './new-bot-folder.ts';

const [name, ...more] = process.argv.slice(2);
// npm runs scripts in the package's folder, and tells where it was called.
const here = process.env['INIT_CWD'] ?? process.cwd();
try {
  if (name === undefined || more.length > 0) throw new NewBotError('give one name: npm run new-bot -- my-bot');
  const folder = await writeBotFolder(name, here);
  process.stdout.write(`${folder}\n\nNow make a bot in the web app's settings, put its token into .env there, then:\n`);
  process.stdout.write(`  cd ${relative(here, folder)} && npm start\n`);
} catch (error) {
  if (!(error instanceof NewBotError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
