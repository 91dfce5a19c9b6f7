// Projects as others have them, on the tarballs and on what the registry has today: `npm run try-packages`. They are built
// with their own tools and opened in Chromium, where a person sends a message and reads a reply while it is written.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, type World, type Actor } from '@parley/testing';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../packages/web/test/setup/chromium.ts';
import { packageNames, packPackages } from '../pack.ts';
import { readManifest } from '../manifests.ts';
import { serveFiles, type StaticFiles } from './static-files.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const trials = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../program', import.meta.url));
const example = (name: string): string => join(root, 'examples', name);
const VERSION = '77.0.0';
/** Installing and building take minutes on a busy machine. */
const PATIENCE_MS = 600_000;
const run = promisify(execFile);

let browser: Browser;
let folder = '';
let files: StaticFiles;
let nextPort = 0;
let world: World;
let ann: Actor;
let bot: Actor;
let chatId = '';

beforeAll(async () => {
  browser = await openBrowser();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-trials-')));
  await packPackages(folder, VERSION);
  files = await serveFiles(folder);
  // A port that is free now.
  await using other = await serveFiles(folder);
  nextPort = Number(new URL(other.url).port);
  world = await createWorld({ env: { ALLOWED_ORIGINS: `${files.url},${other.url}` } });
  ann = await world.member('ann');
  bot = await world.bot(ann);
  chatId = (await world.direct(ann, bot)).id;
}, PATIENCE_MS);

afterAll(async () => {
  await files[Symbol.asyncDispose]();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const addresses = (): Record<string, string> => ({ PARLEY_URL: world.url, PARLEY_TOKEN: ann.token });

/** The versions with which this repository is built. */
async function versions(...names: readonly string[]): Promise<string[]> {
  const manifests = await Promise.all(['packages/web', '.'].map(async (path) => readManifest(join(root, path))));
  const known = Object.assign({}, ...manifests.flatMap((one) => [one.dependencies, one.devDependencies]));
  return names.map((name) => `${name}@${known[name]}`);
}

/** A fresh folder with a project's files, into which npm installs the tarballs and what the project asks for. */
async function project(name: string, from: readonly string[], packages: readonly string[]): Promise<string> {
  const place = join(folder, name);
  await mkdir(place);
  for (const source of from) await cp(source, place, { recursive: true });
  const manifest = existsSync(join(place, 'package.json'))
    ? await readManifest(place)
    : { private: true, type: 'module' };
  await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
  const ours = packageNames.map((one) => join(folder, `parley-${one}-${VERSION}.tgz`));
  await npm(place, 'install', '--no-audit', '--no-fund', '--loglevel=error', ...ours, ...packages);
  return place;
}

const npm = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, ...addresses(), NEXT_TELEMETRY_DISABLED: '1' };
  try {
    return (await run('npm', args, { cwd, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }; // as execFile rejects
    throw new Error(`npm ${args.join(' ')}: ${stdout ?? ''}\n${stderr ?? String(error)}`, { cause: error });
  }
};
const npx = async (cwd: string, ...args: readonly string[]): Promise<string> => npm(cwd, 'exec', '--', ...args);

/**
 * The page shows the conversation, sends, and shows a reply that grows. No error is logged. Resolves to the page as it was
 * served.
 */
async function tryPage(url: string, { hasList = true, isStyled = true } = {}): Promise<string> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (line) => {
      if (line.type() === 'error' && !line.location().url.endsWith('/favicon.ico')) errors.push(line.text());
    });
    const socket = await bot.socket();
    const served = await page.goto(url);
    const question = `Hello from ${url}`;
    if (hasList) await page.getByRole('navigation').getByRole('button').first().click();
    const main = page.getByRole('main');
    await main.getByRole('textbox', { name: 'Message' }).fill(question);
    await main.getByRole('button', { name: 'Send' }).click();
    await socket.event('messageNew', ({ content }) => content === question);
    await main.getByText(question).waitFor();
    const reply = await bot.api.startMessageStream({ chat_id: chatId });
    await bot.api.appendMessageStream({ message_id: reply.id, delta: 'One', offset: 3 });
    await main.getByText('One', { exact: true }).waitFor();
    await bot.api.appendMessageStream({ message_id: reply.id, delta: ` and ${url}`, offset: 3 + ` and ${url}`.length });
    await main.getByText(`One and ${url}`, { exact: true }).waitFor();
    await bot.api.finishMessageStream({ message_id: reply.id });
    expect(errors).toEqual([]);
    if (isStyled) {
      // The style sheet of the components, and its colours.
      expect((await page.locator('.parley-composer-send').boundingBox())?.height).toBe(44);
      const background = "getComputedStyle(document.querySelector('.parley-composer-send')).backgroundColor";
      expect(await page.evaluate(background)).not.toBe('rgba(0, 0, 0, 0)');
    }
    return (await served?.text()) ?? '';
  } finally {
    await context.close();
  }
}

const react = ['react', 'react-dom'];

test('PACK-7: Vite builds a page with React, strictly typed, which chats', { timeout: PATIENCE_MS }, async () => {
  const types = ['@types/react', '@types/react-dom', 'typescript'];
  const place = await project('vite', [example('react')], await versions(...react, 'vite', ...types));
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    lib: ['es2022', 'dom'],
    // Of style sheets.
    types: ['vite/client'],
  };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['chat.tsx'] }));
  expect(await npx(place, 'tsc')).toBe('');
  await npx(place, 'vite', 'build', '--config', 'vite.config.js');
  await tryPage(`${files.url}/vite/dist/`);
});

test('PACK-7: webpack builds a page with React, which chats', { timeout: PATIENCE_MS }, async () => {
  const loaders = ['webpack', 'webpack-cli', 'ts-loader', 'typescript@5.9', 'style-loader', 'css-loader'];
  const place = await project('webpack', [example('react')], [...(await versions(...react)), ...loaders]);
  await cp(join(trials, 'webpack.config.js'), join(place, 'webpack.config.js'));
  const compilerOptions = { jsx: 'react-jsx', module: 'esnext', target: 'es2022', moduleResolution: 'bundler' };
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await npx(place, 'webpack');
  await writeFile(join(place, 'dist/index.html'), '<div id="root"></div><script src="main.js"></script>');
  await tryPage(`${files.url}/webpack/dist/`);
});

test('PACK-7: esbuild builds a page with React, which chats', { timeout: PATIENCE_MS }, async () => {
  const place = await project('esbuild', [example('react')], [...(await versions(...react)), 'esbuild']);
  const define = `--define:import.meta.env=${JSON.stringify(addresses())}`;
  await npx(place, 'esbuild', 'main.tsx', '--bundle', '--minify', '--jsx=automatic', define, '--outdir=dist');
  await writeFile(
    join(place, 'dist/index.html'),
    '<link rel="stylesheet" href="main.css"><div id="root"></div><script src="main.js"></script>',
  );
  await tryPage(`${files.url}/esbuild/dist/`);
});

test('PACK-7: Vite builds the examples in Vue and in Svelte, which chat', { timeout: PATIENCE_MS }, async () => {
  const [vite = ''] = await versions('vite');
  const frameworks = { vue: ['vue', '@vitejs/plugin-vue'], svelte: ['svelte', '@sveltejs/vite-plugin-svelte'] };
  for (const [name, packages] of Object.entries(frameworks)) {
    const place = await project(name, [example(name)], [vite, ...packages]);
    await npx(place, 'vite', 'build', '--config', 'vite.config.js');
    await tryPage(`${files.url}/${name}/dist/`, { isStyled: false });
  }
});

test(
  'PACK-8: Next builds and serves a page of components of the server and of the browser, which chats',
  { timeout: PATIENCE_MS },
  async () => {
    const place = await project('next', [join(trials, 'next')], ['next', ...(await versions(...react))]);
    await npx(place, 'next', 'build');
    const env = { ...process.env, ...addresses() };
    const args = [join(place, 'node_modules/next/dist/bin/next'), 'start', '--port', String(nextPort)];
    const server = spawn(process.execPath, args, { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      for await (const line of server.stdout) if (String(line).includes('Ready')) break;
      const url = `http://127.0.0.1:${nextPort}/`;
      expect(await tryPage(url, { hasList: false })).toContain(`<h1>${ann.username}</h1>`);
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  },
);

/** A Node 20, as many machines have it. */
const node20 = process.env['NODE_20'] ?? '/usr/bin/node';
const hasNode20 = existsSync(node20) && (await run(node20, ['--version'])).stdout.startsWith('v20.');

test.skipIf(!hasNode20)(
  'PACK-5: a program on Node 20 passes a WebSocket and sends',
  { timeout: PATIENCE_MS },
  async () => {
    const place = await project('node-20', [], ['ws']);
    await cp(join(trials, 'node-20.mjs'), join(place, 'main.mjs'));
    const { stdout } = await run(node20, ['main.mjs', world.url, ann.token, chatId], { cwd: place, env: processEnv() });
    expect(stdout).toBe('From Node 20, live');
  },
);

test('PACK-9: a program runs as TypeScript on Bun and on Deno', { timeout: PATIENCE_MS }, async () => {
  const place = await project('runtimes', [program], ['bun', 'deno']);
  const main = join(place, 'main.js');
  await writeFile(main, (await readFile(main, 'utf8')).replace('converse.js', 'converse.ts'));
  // A bot whom nobody has asked yet: at its start it would answer what the other trials asked.
  const answerer = await world.bot(ann, 'answerer');
  const permissions = ['--allow-net', '--allow-env', '--allow-read'];
  for (const runtime of [['bun'], ['deno', 'run', ...permissions]])
    expect([runtime[0], await npx(place, ...runtime, 'main.js', world.url, ann.token, answerer.token)]).toEqual([
      runtime[0],
      '["One","One and two"]',
    ]);
});
