import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startParley } from './index.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 60_000;

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
