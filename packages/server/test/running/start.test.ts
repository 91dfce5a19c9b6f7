import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createApi } from '@parley/client';
import { bundled } from '@parley/server/core/bundled-code.ts';
import { type Config, ConfigError, readConfig } from '@parley/server/service/config.ts';
import { startAdvice } from '@parley/server/service/start-advice.ts';
import { createWorld, ManualClock } from '@parley/testing';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentChat } from '../helpers/agents.ts';

const program = fileURLToPath(new URL('../../main.ts', import.meta.url));
const addresses = { DATABASE_URL: 'postgres://parley:hunter2@db/parley', REDIS_URL: 'rediss://:hunter2@redis:6380/1' };
const newKey = () => randomBytes(32).toString('base64');

let folder: string;
const children = new Set<ChildProcess>();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-start-'));
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  children.clear();
  rmSync(folder, { recursive: true });
});

interface Line extends Record<string, unknown> {
  level: number;
  msg: string;
}

/** Runs the service as a process with only these variables. */
function run(env: Record<string, string>, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, program], {
    cwd: folder,
    env: { ...processEnv(), DATA_DIR: join(folder, 'data'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const lines: Line[] = [];
  const errors: string[] = [];
  const ready = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line; // the form that OPS-3 defines
    lines.push(line);
    if (line.msg === 'ready') ready.resolve(String(line['url']));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => void errors.push(text));
  const ended = once(child, 'close').then(([code]: number[]) => {
    ready.reject(new Error(`ended with ${code}: ${errors.join('')}`));
    return code;
  });
  ready.promise.catch(() => {}); // some tests only wait for the end
  return { child, lines, errors, ready: ready.promise, ended };
}

const config = (env: Record<string, string> = {}): Config => readConfig({ DATA_DIR: folder, ...env });

describe('configuration', () => {
  test('CONFIG-2, CONFIG-3, CONFIG-6: without variables, or with empty ones, defaults apply', () => {
    const defaults = config();
    expect(defaults).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      production: false,
      devTokens: true,
      databaseUrl: null,
      redisUrl: null,
      publicUrl: null,
      trustedProxies: [],
      allowedOrigins: [],
      widgetOrigins: [],
      signUp: 'open',
      directory: 'open',
      rateLimits: true,
      logLevel: 'info',
      providers: {
        provider_a: { baseUrl: 'https://api.anthropic.com/v1', model: expect.stringMatching(/^claude-/) },
        provider_b: { baseUrl: 'https://api.openai.com/v1', model: expect.stringMatching(/^gpt-/) },
      },
    });
    const names =
      readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8').match(/^#?[A-Z_]+(?==)/gm) ?? [];
    expect(names.length).toBeGreaterThan(12);
    const empty = Object.fromEntries(names.map((name) => [name.replace('#', ''), '']));
    expect(readConfig({ ...empty, DATA_DIR: folder })).toEqual(defaults);
  });

  test.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: 'chat.example' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'development' }, true],
    [{ PUBLIC_URL: 'https://chat.example' }, false],
    [{ PUBLIC_URL: 'http://127.0.0.1:8080', HOST: '127.0.0.1' }, false],
    [{ PUBLIC_URL: 'https://chat.example', DEV_TOKENS: '1' }, true],
    [{ DEV_TOKENS: '0' }, false],
    [{ HOST: '0.0.0.0', DEV_TOKENS: '1' }, true],
  ])('CONFIG-3: with %o development tokens are on: %s', (env, devTokens) => {
    expect(config(env).devTokens).toBe(devTokens);
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ HOST: '0.0.0.0' }, ['DIRECTORY=shared']],
    [{ PUBLIC_URL: 'https://chat.example' }, ['DIRECTORY=shared']],
    [{ PUBLIC_URL: 'http://localhost', HOST: '0.0.0.0' }, []],
    [{ HOST: '0.0.0.0', SIGN_UP: 'closed' }, []],
    [{ HOST: '0.0.0.0', DIRECTORY: 'shared' }, []],
  ])('CONFIG-22: with %o the start recommends %o', (env, recommended) => {
    const advice = startAdvice(config({ WEB_PUSH: 'made', ...env }));
    expect(advice.map((one) => one.recommended)).toEqual(recommended);
  });

  test.each<[Record<string, string>, string[]]>([
    [{}, ['WEB_PUSH=made']],
    [{ WEB_PUSH: 'made' }, []],
    [makePushKeys().env, []],
    // The start warns then (NOTIF-10).
    [{ VAPID_SUBJECT: 'mailto:operator@example.com' }, []],
  ])('NOTIF-12: how browsers get notifications is recommended unless it is configured: %#', (env, recommended) => {
    expect(startAdvice(config(env)).map((one) => one.recommended)).toEqual(recommended);
  });

  test(
    'CONFIG-22: a service with open sign-up logs that DIRECTORY=shared is recommended, before it is ready',
    { tags: ['long'] },
    async () => {
      const service = run({ HOST: '0.0.0.0' });
      await service.ready;
      const messages = service.lines.map(({ msg }) => msg);
      expect(messages.indexOf('a setting is recommended')).toBeGreaterThanOrEqual(0);
      expect(service.lines.find(({ recommended }) => recommended === 'DIRECTORY=shared')).toBeDefined();
    },
  );

  test('CONFIG-21: the defaults are 64 unauthenticated connections per address, and 64 MiB of unfinished bodies in all', () => {
    expect(config()).toMatchObject({ maxUnknownConnections: 64, maxUnfinishedBytes: 67_108_864 });
  });

  test(
    'CONFIG-23: the write-ahead log has 10,000 pages by default, and CHECKPOINT_PAGES if that is set',
    { tags: ['long'] },
    async () => {
      expect(config().checkpointPages).toBe(10_000);
      await run({ CHECKPOINT_PAGES: '1000' }).ready;
      // At the start it grows to that size, except for the pages that are still in SQLite's cache.
      const { size } = statSync(join(folder, 'data', 'parley.db-wal'));
      expect(size).toBeGreaterThan(700 * 4_096);
      expect(size).toBeLessThan(1_100 * 4_096);
    },
  );

  test.each<[string, Record<string, string>]>([
    ['CHECKPOINT_PAGES', { CHECKPOINT_PAGES: '0' }],
    ['WEB_PUSH', { WEB_PUSH: '1' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: 'http' }],
    ['DEV_TOKENS', { DEV_TOKENS: 'yes' }],
    ['DIRECTORY', { DIRECTORY: 'closed' }],
    ['MAX_UNKNOWN_CONNECTIONS', { MAX_UNKNOWN_CONNECTIONS: '0' }],
    ['MAX_UNFINISHED_BYTES', { MAX_UNFINISHED_BYTES: '64 MiB' }],
    ['DEV_TOKEN_HOSTS', { DEV_TOKEN_HOSTS: 'parley, http://parley' }],
    ['DEV_TOKEN_HOSTS', { DEV_TOKEN_HOSTS: '*' }],
    ['DEV_TOKENS', { DEV_TOKENS: '1', NODE_ENV: 'production' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'off' }],
    ['SIGN_UP', { SIGN_UP: 'maybe' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'chat.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://chat.example' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'https://one.example, two.example' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'https://one.example/path' }],
    ['WIDGET_ORIGINS', { WIDGET_ORIGINS: 'https://one.example/' }],
    ['PROVIDER_A_BASE_URL', { PROVIDER_A_BASE_URL: 'nonsense' }],
    ['PROVIDER_B_BASE_URL', { PROVIDER_B_BASE_URL: 'file:///v1' }],
    ['HOUSE_AGENT must be', { HOUSE_AGENT: 'openai', HOUSE_AGENT_KEY: 'sk-1234567' }],
    ['HOUSE_AGENT_KEY', { HOUSE_AGENT: 'provider_b' }],
    ['HOUSE_AGENT_MODEL is set without HOUSE_AGENT', { HOUSE_AGENT_MODEL: 'gpt' }],
    ['HOUSE_AGENT_DAILY_TOKENS', { HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: 'sk-1', HOUSE_AGENT_DAILY_TOKENS: '0' }],
    [
      'HOUSE_AGENT_DAILY_TOKENS_ALL',
      { HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: 'sk-1', HOUSE_AGENT_DAILY_TOKENS_ALL: '99' },
    ],
  ])('CONFIG-1, CONFIG-3, CONFIG-7, CONFIG-31: a wrong value of %s is an error that names it: %o', (name, env) => {
    expect(() => config(env)).toThrow(ConfigError);
    expect(() => config(env)).toThrow(name);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['REDIS_URL', { REDIS_URL: '' }],
    ['DATABASE_URL', { DATABASE_URL: '' }],
    ['SECRETS_KEY', { SECRETS_KEY: '' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://parley:hunter2@db/parley' }],
    ['DATABASE_URL', { DATABASE_URL: 'hunter2' }],
    ['REDIS_URL', { REDIS_URL: 'http://:hunter2@redis' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:hunter2@redis:port' }],
  ])('CONFIG-7: a node needs both addresses and a key; an error about %s reveals no password: %o', (name, env) => {
    const given = { SECRETS_KEY: newKey(), ...addresses, ...env };
    expect(() => config(given)).toThrow(ConfigError);
    expect(() => config(given)).toThrow(name);
    expect(() => config(given)).not.toThrow('hunter2');
  });

  test('CONFIG-7: a node of a cluster creates no secrets key', () => {
    const key = newKey();
    const { databaseUrl, redisUrl, secretKeys } = config({ ...addresses, SECRETS_KEY: key });
    expect({ databaseUrl, redisUrl }).toEqual({ databaseUrl: addresses.DATABASE_URL, redisUrl: addresses.REDIS_URL });
    expect(secretKeys.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).toEqual([key]);
    expect(() => config(addresses)).toThrow('SECRETS_KEY');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('CONFIG-4: keys are 32 bytes in base64, each with its own id', () => {
    const [one, two] = [newKey(), newKey()];
    const keysOf = (SECRETS_KEY: string) =>
      config({ SECRETS_KEY }).secretKeys.map(({ id, bytes }) => [id, Buffer.from(bytes).toString('base64')]);
    expect(keysOf(one)).toEqual([['1', one]]);
    expect(keysOf(`b:${two}, a:${one}`)).toEqual([
      ['b', two],
      ['a', one],
    ]);
    const wrong = [
      'short',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      `a b:${one}`,
      `:${one}`,
      `a:${one},a:${two}`,
      `a:${one},`,
      `a:${one}:b`,
      `a:${one.slice(0, 20)}%%%${one.slice(20)}`,
    ];
    for (const text of wrong) expect(() => keysOf(text), text).toThrow('SECRETS_KEY');
    // A refused key is still a secret, so the error must not quote it.
    for (const text of wrong) expect(() => keysOf(text)).not.toThrow(one.slice(0, 20));
  });

  test('CONFIG-4: without SECRETS_KEY the first start creates a key, readable only by its owner', () => {
    const made = config().secretKeys;
    const file = join(folder, 'secrets.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(made).toMatchObject([{ id: '1' }]);
    expect(made[0]?.bytes).toHaveLength(32);
    expect(config().secretKeys).toEqual(made);
    writeFileSync(file, 'damaged');
    expect(() => config()).toThrow(ConfigError);
  });

  test('CONFIG-6: requests go to the configured provider address and model', async () => {
    await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'a-model-of-a-test' } });
    const ann = await world.person('ann');
    const { agent, chat } = await agentChat(world, ann);
    world.providers.script(agent.key, { chunks: ['hello'] });
    await ann.api.sendMessage({ chat_id: chat.id, text: 'hello' });
    await world.turnsEnded();
    expect(world.providers.requestsOf(agent.key)).toMatchObject([
      { provider: 'provider_a', body: { model: 'a-model-of-a-test' } },
    ]);
  });

  embeddedTest('several nodes take their rates from the clock of Redis').each(['1', '0'])(
    'CONFIG-9, ERR-11: RATE_LIMITS=%s turns the limits on (1) or off (0)',
    async (RATE_LIMITS) => {
      const isLimited = RATE_LIMITS === '1';
      await using world = await createWorld({ clock: new ManualClock(), env: { RATE_LIMITS } });
      const ann = await world.person('ann');
      const { id: chat_id } = await world.direct(ann, ann);
      for (let sent = 0; sent < 200; sent += 1) await ann.api.sendMessage({ chat_id, text: 'hello' });
      const oneMore = fetch(`${world.url}/api/sendMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ chat_id, text: 'one more' }),
      });
      const { status, headers } = await oneMore;
      expect([status, headers.get('retry-after')]).toEqual(isLimited ? [429, '1'] : [200, null]);
      const signIn = () => ann.api.signIn({ username: 'nobody_at_all', password: 'wrong password' });
      for (let tries = 0; tries < 5; tries += 1) await expect(signIn()).rejects.toMatchObject({ status: 401 });
      await expect(signIn()).rejects.toMatchObject(
        isLimited ? { status: 429, parameters: { retry_after: 12 } } : { status: 401 },
      );
    },
  );
});

describe('the process', { tags: ['long'] }, () => {
  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'http' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'a proxy' }],
    ['DEV_TOKENS', { DEV_TOKENS: '1', NODE_ENV: 'production' }],
    ['HOST', { HOST: '256.0.0.1' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATABASE_URL', { ...addresses, SECRETS_KEY: newKey() }],
  ])('CONFIG-1: with a wrong %s the service does not start, and logs why', async (name, env) => {
    const { ended, errors, lines } = run(env);
    expect(await ended).toBe(1);
    const { msg, error } = JSON.parse(errors.join('')) as { msg: string; error: string };
    expect(msg).toBe('cannot start');
    expect(error).toContain(name);
    expect(error).not.toContain('    at ');
    expect(lines.filter((line) => line.msg === 'ready')).toEqual([]);
  });

  test('NOTIF-10: with only some of the VAPID variables the service starts with one warning', async () => {
    const { child, ready, ended, lines } = run({ VAPID_SUBJECT: 'mailto:operator@example.com' });
    await ready;
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(lines.filter(({ level }) => level >= 40)).toMatchObject([
      { level: 40, missing: ['VAPID_PRIVATE_PEM_BASE64', 'VAPID_PUBLIC_KEY'] },
    ]);
  });

  test('CONFIG-2, CONFIG-5: a .env file is read, the environment wins, and the ready line comes at any log level', async () => {
    writeFileSync(join(folder, '.env'), 'SIGN_UP=closed\nDEV_TOKENS=0\nLOG_LEVEL=debug\n');
    const { child, ready, ended, lines } = run({ LOG_LEVEL: 'silent', DEV_TOKENS: '1' });
    const url = await ready;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const api = createApi({ url, token: 'dev:ann' });
    expect(await api.getServerInfo()).toMatchObject({ sign_up: 'closed' });
    expect(await api.getMe()).toMatchObject({ username: 'ann' });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(lines).toEqual([{ level: 30, time: expect.any(String), url, msg: 'ready' }]);
  });

  test('OPS-4: a service that is killed as soon as it is ready leaves its compiled code, without that of nodes', async () => {
    const NODE_COMPILE_CACHE = join(folder, 'compiled');
    const { child, ready, ended } = run({ NODE_COMPILE_CACHE });
    await ready;
    child.kill('SIGKILL');
    await ended;
    const compiled = readdirSync(NODE_COMPILE_CACHE, { recursive: true, encoding: 'utf8' });
    // Two entries for a source, without its types and compiled; one for each file of the bundle.
    expect(compiled.length).toBeGreaterThan(bundled('start') === null ? 1_000 : 10);
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      await import(${JSON.stringify(new URL('../../run-service.ts', import.meta.url).href)});
      console.log(JSON.stringify(loaded.filter((url) => /node_modules\\/(redis|@redis|pg)\\//.test(url))));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: processEnv() });
    expect(loaded.toString().trim()).toBe('[]');
  });

  test('CONFIG-15: files in DATA_DIR are readable only by their user, even those an older version left there', async () => {
    const data = join(folder, 'data');
    const modes = () =>
      Object.fromEntries(
        ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]
          .map((name) => [name, statSync(join(data, name))] as const)
          .filter(([, found]) => found.isFile() || found.isDirectory())
          .map(([name, found]) => [name, (found.mode & 0o777).toString(8)]),
      );
    const serve = async (check: (url: string) => Promise<void>): Promise<void> => {
      const { child, ready, ended } = run({});
      await check(await ready);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    };
    const checkAll = async (url: string): Promise<void> => {
      const ann = createApi({ url, token: 'dev:ann' });
      await ann.uploadFile({ file: new File(['a secret'], 'a.txt') });
      // The first search waits for its index, which has its own file.
      await ann.searchMessages({ query: 'secret' });
      const found = modes();
      expect(Object.keys(found)).toEqual(
        expect.arrayContaining(['parley.db', 'parley.db-wal', 'parley.db-shm', 'search.db', 'files']),
      );
      for (const [name, mode] of Object.entries(found))
        expect([name, mode]).toEqual([name, statSync(join(data, name)).isDirectory() ? '700' : '600']);
    };
    const mask = process.umask(0o022); // inherited by the service
    try {
      await serve(checkAll);
      chmodSync(data, 0o755);
      chmodSync(join(data, 'parley.db'), 0o644);
      chmodSync(join(data, 'files'), 0o755);
      await serve(checkAll);
    } finally {
      process.umask(mask);
    }
  });

  test('CONFIG-15: files that the service did not create keep their modes, and so does a DATA_DIR that contains such files', async () => {
    const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
    mkdirSync(join(folder, 'public'));
    writeFileSync(join(folder, 'script.sh'), '#!/bin/sh\n');
    writeFileSync(join(folder, 'secrets.key'), `1:${Buffer.alloc(32, 1).toString('base64')}\n`);
    chmodSync(join(folder, 'secrets.key'), 0o644);
    for (const name of ['script.sh', 'public', '.']) chmodSync(join(folder, name), 0o755);
    const { child, ready, ended } = run({ DATA_DIR: '.' });
    await ready;
    expect(['script.sh', 'public', '.'].map(modeOf)).toEqual(['755', '755', '755']);
    expect(['parley.db', 'secrets.key', 'files'].map(modeOf)).toEqual(['600', '600', '700']);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('OPS-1, OPS-3, DRAIN-1: the service logs one JSON object per line to stdout, and exits with 0', async () => {
    const { child, ready, ended, lines, errors } = run({ LOG_LEVEL: 'debug' });
    const url = await ready;
    for (const page of ['healthz', 'readyz']) expect((await fetch(`${url}/${page}`)).status).toBe(200);
    const api = createApi({ url, token: 'dev:ann' });
    await api.getMe();
    await expect(createApi({ url, token: 's_none' }).getMe()).rejects.toMatchObject({ status: 401 });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (const line of lines)
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(String), msg: expect.any(String) });
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      { operation: 'getMe', status: 200, account: 'ann' },
      { operation: 'getMe', status: 401 },
    ]);
    expect(lines.at(-1)?.msg).toBe('stopped');
    expect(errors).toEqual([]);
  });

  test('OPS-5: if the store thread fails, the process exits immediately, and the next process has everything that was acknowledged', async () => {
    // SIGWINCH ends the thread.
    const fault = `process.on('worker', (worker) => process.once('SIGWINCH', () => worker.terminate()))`;
    const first = run({}, ['--import', `data:text/javascript,${encodeURIComponent(fault)}`]);
    const ann = createApi({ url: await first.ready, token: 'dev:ann' });
    const { id: chat_id } = await ann.startChat({ username: 'ann' });
    await ann.sendMessage({ chat_id, text: 'answered' });
    first.child.kill('SIGWINCH');
    expect(await first.ended).toBe(1);
    expect(first.lines.at(-1)).toMatchObject({ level: 60, msg: 'the store failed' });
    const second = run({});
    const again = createApi({ url: await second.ready, token: 'dev:ann' });
    expect((await again.getChatHistory({ chat_id })).items).toMatchObject([{ content: 'answered' }]);
  });

  test('STORE-14: a flush that fails ends the process; nothing that it should have covered was answered or shown', async () => {
    // While this file exists, the disk of the write-ahead log is broken.
    const broken = join(folder, 'broken');
    const fault = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const flush = fs.fdatasyncSync;
      fs.fdatasyncSync = (descriptor) => {
        if (fs.existsSync(${JSON.stringify(broken)})) throw new Error('EIO: i/o error, fdatasync');
        flush(descriptor);
      };
      syncBuiltinESMExports();`;
    const first = run({}, ['--import', `data:text/javascript,${encodeURIComponent(fault)}`]);
    const ann = createApi({ url: await first.ready, token: 'dev:ann' });
    const { id: chat_id } = await ann.startChat({ username: 'ann' });
    await ann.sendMessage({ chat_id, text: 'answered' });
    writeFileSync(broken, '');
    await expect(ann.sendMessage({ chat_id, text: 'never answered' })).rejects.toThrow('fetch failed');
    expect(await first.ended).toBe(1);
    expect(first.lines.at(-1)).toMatchObject({ level: 60, msg: 'the store failed' });
    const second = run({});
    const again = createApi({ url: await second.ready, token: 'dev:ann' });
    const [answered] = (await again.getChatHistory({ chat_id })).items;
    expect(answered).toMatchObject({ content: 'answered' });
  });
});
