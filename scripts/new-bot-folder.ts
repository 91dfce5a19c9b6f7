import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// A valid name of a folder, of an npm package and, with `_` for `-`, the handle of a bot.
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const sdk = ['index.ts', 'testing/index.ts'].map((file) =>
  fileURLToPath(new URL(`../packages/client/bot/${file}`, import.meta.url)),
);

/** The default address of `npm start`. */
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The name, the folder or the service's address is invalid. */
export class NewBotError extends Error {}

/**
 * Writes a folder with a bot that runs anywhere; it contains the SDK as one file. `path` is relative to `parent`, and its
 * last part is the bot's name. Resolves to the folder's path.
 */
export async function writeBotFolder(path: string, parent: string, serviceUrl = DEFAULT_URL): Promise<string> {
  const folder = resolve(parent, path);
  const name = basename(path);
  if (!NAME.test(name))
    throw new NewBotError(`"${name}" is not a valid bot name: use 1 to 32 of a-z, 0-9 and -, starting with a letter`);
  const url = URL.parse(serviceUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new NewBotError(`PARLEY_URL must be an address such as ${DEFAULT_URL}, not "${serviceUrl}"`);
  if (existsSync(folder)) throw new NewBotError(`${folder} already exists`);
  const files = filesOf({ name, url: url.href.replace(/\/+$/, ''), sdkText: await bundledSdk() });
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
  return folder;
}

const ENTRY = 'virtual:parley-bot';

async function bundledSdk(): Promise<string> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) =>
          id === ENTRY ? sdk.map((file) => `export * from ${JSON.stringify(file)};`).join('\n') : undefined,
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', comments: { jsdoc: true } });
  await build.close();
  const [chunk] = output;
  if (output.length !== 1 || chunk.imports.length > 0)
    throw new Error(`the SDK imports ${chunk.imports.join(', ')}, so it would not run by itself`);
  return `// Parley's bot SDK in one file, without dependencies. MIT licensed. Made by \`npm run new-bot\`.\n${chunk.code}`;
}

interface Contents {
  name: string;
  url: string;
  sdkText: string;
}

const filesOf = ({ name, url, sdkText }: Contents): Record<string, string> => ({
  'parley-bot.js': sdkText,

  'bot.js': `import { createBot } from './parley-bot.js';

const bot = createBot();
bot.on('message', (ctx) => ctx.reply(\`You said: \${ctx.text}\`));
if (await bot.start()) console.log(\`\${bot.username} is listening\`);
`,

  'package.json': `${JSON.stringify(
    {
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { start: 'node --env-file-if-exists=.env bot.js' },
      engines: { node: '>=22.9' },
    },
    null,
    2,
  )}\n`,

  '.gitignore': '.env\nnode_modules/\n',

  '.env.example': `# Copy this file to .env
# The address of the service, as you open it in the browser.
PARLEY_URL=${url}
# The bot's token, mb_…, from the web app.
PARLEY_TOKEN=
`,

  'README.md': `# ${name}

1. Open the web app, ${url}, and go to Settings → Bots → New bot. Enter a name and a handle, for example \`${name.replaceAll('-', '_')}\`, and choose Create bot. Its token, \`mb_…\`, is shown only once: copy it.
2. Copy \`.env.example\` to \`.env\` and put the token there. \`PARLEY_URL\` in it is the address of the service: change it if you open the web app at another address.
3. Run \`npm start\` (Node 22.9 or newer; there is nothing to install). Then write to the bot, or add it to a group and mention it.

Its answers are in \`bot.js\`. The SDK is \`parley-bot.js\`; Parley's docs/BOTS.md describes everything it can do.
`,
});
