import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@parley/server/service/config.ts';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { blocksIn } from '@parley/testing/documents/code-blocks.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** Each folder bundles the SDK and its types anew: some seconds, on a busy machine many. */
const BUNDLING_MS = 90_000;

const command = fileURLToPath(new URL('../../../scripts/new-bot.ts', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'parley-new-bot-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const root = fileURLToPath(new URL('../../..', import.meta.url));
interface BotManifest {
  version: string;
  scripts: { start: string; types: string };
  devDependencies: Record<string, string>;
}
const manifestOf = (folder: string): BotManifest =>
  // Written by new-bot, or by npm.
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BotManifest;

interface Outcome {
  code: number;
  out: string;
  err: string;
}

const newBot = (...args: string[]): Promise<Outcome> => newBotFor({}, ...args);
const newBotFor = (given: Record<string, string>, ...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], INIT_CWD: parent, ...given };
    execFile(process.execPath, [command, ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

/** The bots of the documents that are written for this folder. */
const programs = ['docs/BOTS.md', 'docs/guide/first-bot.md', 'docs/guide/recipes.md']
  .flatMap(blocksIn)
  .filter(({ language, code }) => language === 'js' && code.includes('./parley-bot.js'));

const languages = [
  { name: 'my-bot', program: 'bot.js', language: [] },
  { name: 'my-typed-bot', program: 'bot.ts', language: ['--typescript'] },
];

describe.each(languages)('the folder written by new-bot with $program', ({ name, program, language }) => {
  const folder = join(parent, name);

  test('BOTSDK-17: runs outside of this repository without an installation', { timeout: BUNDLING_MS }, async () => {
    await using stage = await BotStage.start();
    const { code, out, err } = await newBot(name, ...language);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(folder);
    const others = ['.env.example', '.gitignore', 'README.md', 'package.json', 'parley-bot.d.ts', 'parley-bot.js'];
    expect(readdirSync(folder).toSorted()).toEqual([...others, program, 'tsconfig.json'].toSorted());
    // Follows the steps of the README.
    const settings = readFileSync(join(folder, '.env.example'), 'utf8')
      .replace(/^PARLEY_URL=.*$/m, `PARLEY_URL=${stage.world.url}`)
      .replace(/^PARLEY_TOKEN=$/m, `PARLEY_TOKEN=${stage.account.token}`);
    writeFileSync(join(folder, '.env'), settings);
    const [node, ...args] = manifestOf(folder).scripts.start.split(' ');
    expect(node).toBe('node');
    await using bot = new BotProcess(args, { cwd: folder, env: {} });
    expect((await stage.answerTo(await stage.say('hello'))).content).toBe('You said: hello');
    expect([await bot.stop(), bot.said]).toEqual([0, `${stage.account.username} is listening\n`]);
  });

  test('BOTSDK-32: has types, with which a wrong program does not compile', { timeout: BUNDLING_MS }, async () => {
    const { scripts, devDependencies } = manifestOf(folder);
    expect(scripts.types).toBe('tsc');
    // What npm would install is taken from this repository.
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    for (const [dependency, version] of Object.entries(devDependencies)) {
      const ours = join(root, 'node_modules', dependency);
      expect([dependency, version]).toEqual([dependency, manifestOf(ours).version]);
      symlinkSync(ours, join(folder, 'node_modules', dependency));
    }
    const compile = (...options: string[]): Promise<string> =>
      new Promise((resolve) => {
        const tsc = join(folder, 'node_modules/typescript/bin/tsc');
        execFile(process.execPath, [tsc, '--pretty', 'false', ...options], { cwd: folder }, (_error, out) =>
          resolve(out),
        );
      });
    if (program === 'bot.js')
      for (const { file, name: block, code } of programs)
        writeFileSync(join(folder, `${basename(file)}-${block}.js`), code);
    // The declarations too.
    expect(await compile('--skipLibCheck', 'false')).toBe('');
    const wrong = `bot.on('message', async (ctx) => {
  ctx.text.toFixed();
  await bot.client.api.getChatHistory({ chat_id: 1 });
  (await bot.client.api.getMe()).nobody;
});
`;
    writeFileSync(join(folder, program), wrong, { flag: 'a' });
    const errors = (await compile()).split('\n').filter((line) => line.startsWith(program));
    expect(errors).toEqual([
      expect.stringContaining("'toFixed' does not exist on type 'string'"),
      expect.stringContaining("'number' is not assignable to type 'string'"),
      expect.stringContaining("'nobody' does not exist"),
    ]);
  });
});

test(
  'BOTSDK-21: the bot of new-bot, stopped before it was connected, does not say that it is listening',
  { timeout: BUNDLING_MS },
  async () => {
    await newBot('early');
    const cwd = join(parent, 'early');
    const env = { PARLEY_URL: 'http://127.0.0.1:9', PARLEY_TOKEN: 'mb_x' };
    await using bot = new BotProcess(['bot.js'], { cwd, env });
    await bot.says('trying again');
    expect([await bot.stop(), bot.said]).toEqual([0, 'http://127.0.0.1:9 does not answer; trying again\n']);
  },
);

test(
  "BOTSDK-22: the folder written by new-bot names the service's address and uses the labels of the app",
  { timeout: BUNDLING_MS },
  async () => {
    const read = (bot: string, file: string): string => readFileSync(join(parent, bot, file), 'utf8');
    const url = 'https://chat.example';
    expect(await newBotFor({ PARLEY_URL: `${url}/` }, 'elsewhere')).toMatchObject({ code: 0, err: '' });
    expect(read('elsewhere', '.env.example')).toContain(`\nPARLEY_URL=${url}\n`);
    expect(read('elsewhere', 'README.md')).toContain(`Open the web app, ${url},`);
    await newBotFor({ PARLEY_URL: '' }, 'my-usual');
    // Without PARLEY_URL: the default address of the service.
    const { host, port } = readConfig({ DATA_DIR: parent });
    expect(read('my-usual', '.env.example')).toContain(`\nPARLEY_URL=http://${host}:${port}\n`);
    const form = ['bots/new-bot.tsx', 'agents/agent-fields.ts'];
    const source = (file: string) => readFileSync(new URL(`../../web/settings/${file}`, import.meta.url), 'utf8');
    const app = form.map(source).join('');
    const readme = read('my-usual', 'README.md');
    for (const word of ['New bot', 'Name', 'Handle', 'Create bot']) {
      expect(app).toContain(word);
      expect(readme.toLowerCase()).toContain(word.toLowerCase());
    }
    expect(readme).not.toMatch(/slug/i);
    const bad = await newBotFor({ PARLEY_URL: 'localhost:8080' }, 'nowhere');
    expect(bad).toEqual({ code: 1, out: '', err: expect.stringMatching(/^PARLEY_URL must be an address .+\n$/) });
  },
);

test(
  'BOTSDK-17: new-bot takes a path, overwrites nothing and accepts plain names only',
  { timeout: BUNDLING_MS },
  async () => {
    expect((await newBot('twice')).code).toBe(0);
    const again = await newBot('twice');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    const nested = await newBot('apps/deep/my-bot');
    expect([nested.code, nested.out]).toEqual([0, expect.stringContaining('cd apps/deep/my-bot &&')]);
    expect(readFileSync(join(parent, 'apps/deep/my-bot/package.json'), 'utf8')).toContain('"name": "my-bot"');
    for (const name of ['apps/Big', '..', 'Big', '1st', 'a b', '', 'x'.repeat(33), '--help'])
      expect(await newBot(name)).toMatchObject({ code: 1, err: expect.stringContaining('is not a valid bot name') });
    expect(await newBot()).toMatchObject({ code: 1, err: expect.stringContaining('give exactly one path') });
    expect(readdirSync(parent).filter((name) => /^(?:Big|1st|a b|x+|--help|twice)$/.test(name))).toEqual(['twice']);
  },
);
