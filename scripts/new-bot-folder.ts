import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from './packages/manifests.ts';

// A valid name of a folder, of an npm package and, with `_` for `-`, the handle of a bot.
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** The default address of `npm start`. */
const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The name, the folder or the service's address is invalid. */
export class NewBotError extends Error {}

interface BotFolderOptions {
  /** The address of the service, for `.env.example`. */
  serviceUrl?: string | undefined;
  /** Writes the bot in TypeScript, which Node runs from 22.18 on. */
  isTypeScript?: boolean;
  /** The command of an agent of the Agent Client Protocol, to which the bot is then a bridge. */
  acp?: string | undefined;
}

/**
 * Writes a folder with a bot that runs anywhere; it contains the SDK as one file, and its types. `path` is relative to
 * `parent`, and its last part is the bot's name. Resolves to the folder's path.
 */
export async function writeBotFolder(path: string, parent: string, options: BotFolderOptions = {}): Promise<string> {
  const { serviceUrl = DEFAULT_URL, isTypeScript = false, acp } = options;
  const folder = resolve(parent, path);
  const name = basename(path);
  if (!NAME.test(name))
    throw new NewBotError(`"${name}" is not a valid bot name: use 1 to 32 of a-z, 0-9 and -, starting with a letter`);
  const url = URL.parse(serviceUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new NewBotError(`PARLEY_URL must be an address such as ${DEFAULT_URL}, not "${serviceUrl}"`);
  if (existsSync(folder)) throw new NewBotError(`${folder} already exists`);
  if (acp?.trim() === '' || (acp !== undefined && isTypeScript))
    throw new NewBotError('--acp takes the command of the agent, and goes without --typescript');
  const address = url.href.replace(/(?<!\/)\/+$/, '');
  const files =
    acp === undefined ? await botFiles({ name, url: address, isTypeScript }) : await bridgeFiles(name, address, acp);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
  return folder;
}

async function botFiles(contents: Omit<Contents, 'devDependencies'>): Promise<Record<string, string>> {
  // Loads the bundler, which a refused name need not wait for.
  const { bundledSdk, bundledTypes } = await import('./bot-sdk.ts');
  const [sdk, types, devDependencies] = await Promise.all([bundledSdk(), bundledTypes(), typePackages()]);
  return { 'parley-bot.js': sdk, 'parley-bot.d.ts': types, ...filesOf({ ...contents, devDependencies }) };
}

async function bridgeFiles(name: string, url: string, acp: string): Promise<Record<string, string>> {
  const { bundledBridge } = await import('./bot-sdk.ts');
  return {
    'parley-bridge.js': await bundledBridge(),
    'bot.js': `import { runBridge } from './parley-bridge.js';

// Options may follow; \`npm start -- --help\` lists them.
await runBridge(['--acp', ${JSON.stringify(acp)}, ...process.argv.slice(2)]);
`,
    'package.json': json({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { start: 'node --env-file-if-exists=.env bot.js' },
      engines: { node: '>=22.9' },
    }),
    '.gitignore': '.env\n.parley-bridge/\n',
    '.env.example': environmentExample(url),
    'README.md': `# ${name}

A bridge to an agent that you already run.

${howToBegin(name, url, '22.9')}

\`bot.js\` names the command of the agent. What the bridge remembers is in \`.parley-bridge\`, with a folder for each conversation in which the agent works; \`npm start -- --cwd FOLDER\` gives it one of yours. Parley's docs/BOTS.md describes everything else.
`,
  };
}

const environmentExample = (url: string): string => `# Copy this file to .env
# The address of the service, as you open it in the browser.
PARLEY_URL=${url}
# The bot's token, mb_…, from the web app.
PARLEY_TOKEN=
`;

const howToBegin = (name: string, url: string, node: string): string =>
  `
1. Open the web app, ${url}, and go to Settings → Bots → New bot. Enter a name and a handle, for example \`${name.replaceAll('-', '_')}\`, and choose Create bot. Its token, \`mb_…\`, is shown only once: copy it.
2. Copy \`.env.example\` to \`.env\` and put the token there. \`PARLEY_URL\` in it is the address of the service: change it if you open the web app at another address.
3. Run \`npm start\` (Node ${node} or newer; there is nothing to install). Then write to the bot, or add it to a group and mention it.`.trim();

/** What checks the types, in the versions that this repository uses. The bot runs without them. */
async function typePackages(): Promise<Record<string, string>> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { devDependencies } = await readManifest(root);
  const { dependencies } = await readManifest(join(root, 'packages/protocol'));
  const versions = { ...devDependencies, ...dependencies };
  const versionOf = (name: string): string => {
    const version = versions[name];
    if (version === undefined) throw new Error(`no package.json of this repository names a version of ${name}`);
    return version;
  };
  return Object.fromEntries(['@types/node', 'typescript', 'zod'].map((name) => [name, versionOf(name)]));
}

interface Contents {
  name: string;
  url: string;
  isTypeScript: boolean;
  devDependencies: Record<string, string>;
}

/** The options of the compiler. The SDK itself is not checked again. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  skipLibCheck: true,
};
const tsconfigs = {
  js: {
    // JavaScript cannot say what a strict check asks for, such as the type of a parameter or of an empty list.
    compilerOptions: { ...compilerOptions, strict: false, allowJs: true, checkJs: true },
    exclude: ['node_modules', 'parley-bot.js'],
  },
  // What Node can run: types that it only has to remove.
  ts: {
    compilerOptions: {
      ...compilerOptions,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
    },
  },
};
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function filesOf({ name, url, isTypeScript, devDependencies }: Contents): Record<string, string> {
  const language = isTypeScript ? 'ts' : 'js';
  const program = `bot.${language}`;
  const node = isTypeScript ? '22.18' : '22.9';
  return {
    [program]: `import { createBot } from './parley-bot.js';

const bot = createBot();
bot.on('message', (ctx) => ctx.reply(\`You said: \${ctx.text}\`));
if (await bot.start()) console.log(\`\${bot.username} is listening\`);
`,

    'package.json': json({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { start: `node --env-file-if-exists=.env ${program}`, types: 'tsc' },
      engines: { node: `>=${node}` },
      devDependencies,
    }),

    'tsconfig.json': json(tsconfigs[language]),

    '.gitignore': '.env\nnode_modules/\n',

    '.env.example': environmentExample(url),

    'README.md': `# ${name}

${howToBegin(name, url, node)}

Its answers are in \`${program}\`. The SDK is \`parley-bot.js\`; Parley's docs/BOTS.md describes everything it can do.

For types in your editor, run \`npm install\` once: it brings TypeScript and the types of Node, which the bot does not need to run. \`npm run types\` then checks the whole program.
`,
  };
}
