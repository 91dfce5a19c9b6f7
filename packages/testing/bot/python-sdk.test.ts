// The SDK for Python: its own checks, its package, and its programs as users run them. What it has in common with the SDK
// for JavaScript is in suite.test.ts.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  Account,
  Actor,
  BotCommand,
  Conversation,
  Decision,
  DecisionOption,
  FieldSpec,
  Message,
  Part,
  RunConfig,
  TokenUsage,
} from '@parley/protocol';
import { expect, test } from 'vitest';
import { buildWheel } from '../../../scripts/packages/wheel.ts';
import { blocksIn, documented } from '../documents/code-blocks.ts';
import { processEnv } from '../servers/process-env.ts';
import { BotProcess } from './bot-process.ts';
import { describeWithPython, python, pythonEnv, sdkFolder } from './python.ts';
import { BotStage } from './stage.ts';

/** Beside other tests a check of types takes a while, and so does the start of a dozen processes. */
const PATIENCE_MS = 120_000;

const run = (args: readonly string[], env: Readonly<Record<string, string>> = pythonEnv): Promise<{ stdout: string }> =>
  promisify(execFile)(python, args, { cwd: sdkFolder, env: { ...processEnv(), ...env } });

/** A program in a process of its own, with the SDK of the sources. */
const start = (
  file: string,
  url: string,
  token: string,
  env: Readonly<Record<string, string>> = pythonEnv,
): BotProcess =>
  new BotProcess([file], { command: python, cwd: sdkFolder, env: { ...env, PARLEY_URL: url, PARLEY_TOKEN: token } });

const echo = 'examples/echo.py';

describeWithPython('the SDK for Python', PATIENCE_MS, () => {
  test('PY-1, PY-2, PY-3, PY-5, PY-7, PY-8: passes its own tests, mypy --strict and ruff', async () => {
    for (const args of [
      ['-m', 'pytest', '-q'],
      ['-m', 'mypy', '--cache-dir', '.venv/.mypy_cache'],
      ['-m', 'ruff', 'check', '--quiet', '.'],
      ['-m', 'ruff', 'format', '--quiet', '--check', '.'],
    ]) {
      const { stdout } = await run(args).catch(({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => {
        throw new Error(`${args.join(' ')}\n${stdout}${stderr}`);
      });
      expect(stdout).not.toMatch(/warning/i);
    }
  });

  test('PY-5: the wheel contains the package with its types and the licence, and runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-wheel-'));
    const wheel = join(folder, await buildWheel(folder, '77.0.0'));
    const site = join(folder, 'site');
    // As an installer does it: nothing is compiled.
    await run(['-m', 'zipfile', '--extract', wheel, site]);
    const { stdout } = await run(['-m', 'zipfile', '--list', wheel]);
    const files = stdout
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(' ', 1)[0] ?? '');
    const others = files.filter((file) => !/^parley_bot\/\w+\.py$/.test(file)).toSorted();
    const about = 'parley_bot-77.0.0.dist-info';
    expect(others).toEqual([
      ...['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((file) => `${about}/${file}`),
      'parley_bot/py.typed',
    ]);
    await using stage = await BotStage.start();
    await using bot = start(echo, stage.world.url, stage.account.token, { PYTHONPATH: site });
    expect((await stage.answerTo(await stage.say('hello'))).content).toBe('You said: hello');
    expect([await bot.stop(), bot.said]).toEqual([0, '']);
    await rm(folder, { recursive: true });
  });

  test('PY-6: its types name fields that the service declares, and require none that it may leave out', async () => {
    const script = `
import json
from parley_bot import resources
types = {name: kind for name, kind in vars(resources).items() if hasattr(kind, "__required_keys__")}
print(json.dumps({name: [sorted(kind.__required_keys__), sorted(kind.__optional_keys__)] for name, kind in types.items()}))`;
    const { stdout } = await run(['-c', script]);
    // As the script prints it.
    const types = JSON.parse(stdout) as Record<string, [required: string[], optional: string[]]>;
    const declared = {
      Account,
      Actor,
      BotCommand,
      BotArgument: BotCommand.shape.arguments.in.unwrap().unwrap().element,
      Conversation,
      Decision,
      DecisionOption,
      FieldSpec,
      Message,
      RunConfig,
      TokenUsage,
      Reaction: Message.shape.reactions.element,
    };
    const shapes = Object.entries(declared).map(([name, { shape }]) => [name, [shape]] as const);
    const all = new Map<string, readonly Record<string, { safeParse(value: unknown): { success: boolean } }>[]>([
      ...shapes,
      ['Part', Part.options.map(({ shape }) => shape)],
    ]);
    for (const [name, [required, optional]] of Object.entries(types)) {
      const variants = all.get(name) ?? [];
      expect([name, variants.length > 0]).toEqual([name, true]);
      const known = new Set(variants.flatMap((shape) => Object.keys(shape)));
      expect([...required, ...optional].filter((field) => !known.has(field))).toEqual([]);
      for (const field of required)
        expect([name, field, variants.some((shape) => shape[field]?.safeParse(undefined).success)]).toEqual([
          name,
          field,
          false,
        ]);
    }
  });

  test('PY-4, BOTSDK-19: a bot that cannot run says why in one line and exits with 1', async () => {
    await using stage = await BotStage.start();
    const { world, account, alice } = stage;
    const failed = async (url: string, token: string): Promise<[said: string, code: number | null]> => {
      await using bot = start(echo, url, token);
      const code = await bot.ended();
      return [bot.said, code];
    };
    const refused = expect.stringMatching(/^http:\S+ refuses the token: .+ Settings → Bots.+ PARLEY_TOKEN\n$/);
    const ofPerson = expect.stringMatching(/^the token belongs to a person: .+ PARLEY_TOKEN\n$/);
    const without = expect.stringMatching(/^a bot needs its token: create a bot in the web app, .+ PARLEY_TOKEN\n$/);
    expect(await failed(world.url, 'mb_nobody')).toEqual([refused, 1]);
    expect(await failed(world.url, 'dev:alice')).toEqual([ofPerson, 1]);
    expect(await failed(world.url, '')).toEqual([without, 1]);
    for (const url of ['nonsense', 'localhost:8080'])
      expect(await failed(url, 'mb_x')).toEqual([
        `PARLEY_URL must be an address such as http://127.0.0.1:8080, not "${url}"\n`,
        1,
      ]);
    await using bot = start(echo, world.url, account.token);
    await stage.answerTo(await stage.say('hello'));
    await alice.api.rotateBotToken({ username: account.username });
    expect(await bot.ended()).toBe(1);
    expect(bot.said).toMatch(/^http:\S+ has revoked the token of \S+: .+ PARLEY_TOKEN\n$/);
  });

  test('BOTSDK-18: the programs for Python in docs/BOTS.md and the README run', async () => {
    const [readme] = blocksIn('sdk/python/README.md').filter(({ language }) => language === 'python');
    await using stage = await BotStage.start();
    const { world, account } = stage;
    const folder = await mkdtemp(join(tmpdir(), 'parley-python-'));
    const answer = async (code: string | undefined, text = 'hello') => {
      const file = join(folder, 'bot.py');
      await writeFile(file, code ?? '');
      await using bot = start(file, world.url, account.token);
      const { content } = await stage.answerTo(await stage.say(text));
      expect([await bot.stop(), bot.said]).toEqual([0, '']);
      return content;
    };
    expect(await answer(documented('docs/BOTS.md', 'python-echo'))).toBe('You said: hello');
    expect(await answer(documented('docs/BOTS.md', 'python-stream'))).toBe('3 … 2 … 1 … lift-off 🚀');
    expect(await answer(documented('docs/BOTS.md', 'python-commands'), '/order 2')).toBe(
      '{% button action="buy:2" %}Buy 2{% /button %}',
    );
    await writeFile(join(folder, 'bot.py'), documented('docs/BOTS.md', 'python-ask'));
    await using asking = start(join(folder, 'bot.py'), world.url, account.token);
    const asked = await stage.say('/order tea');
    const { id: decision_id } = await stage.placeholderOf(asked);
    await stage.alice.api.decide({ decision_id, option: 'submit', fields: { count: 2 } });
    expect((await stage.answerTo(asked)).content).toBe('alice has ordered 2 × tea.');
    expect([await asking.stop(), asking.said]).toEqual([0, '']);
    expect(await answer(readme?.code)).toBe('You said: hello');
    expect(await answer(documented('docs/guide/first-bot.md', 'echo-python'))).toBe('Hello alice, you said: hello ');
    await rm(folder, { recursive: true });
  });
});
