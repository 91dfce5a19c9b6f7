import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../programs/needs.ts';
import { use } from '../programs/programs.ts';
import { Installation } from '../servers/installation.ts';
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts';
import { describeWithRedis } from '../servers/redis.ts';
import { documented, root } from './code-blocks.ts';
import { inContainers } from './containers.ts';
import { shell } from './programs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-running-'));
});
afterEach(() => rm(folder, { recursive: true }));

test(
  'DOCS-5: the command for the compose file writes its variables once, for its owner alone',
  needs('bash', 'openssl'),
  async () => {
    await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
    const code = documented('docs/RUNNING.md', 'compose-env');
    await shell(code, {}, folder);
    const file = join(folder, 'deploy/.env');
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const asked = (await readFile(join(root, 'deploy/compose.yaml'), 'utf8')).matchAll(/\$\{(\w+):\?/g);
    expect(new Set(Object.keys(parseEnv(text)))).toEqual(new Set([...asked].map(([, name]) => name)));
    await expect(shell(code, {}, folder)).rejects.toThrow(/exist/);
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);

test(
  'DOCS-5: the upgrade goes from node to node, and stops at one that does not become ready',
  needs('bash'),
  async () => {
    const code = documented('docs/RUNNING.md', 'upgrade');
    const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
    const up = (node: string) => `compose up -d --no-deps --wait ${node}`;
    await inContainers(code, folder, { folder });
    expect(await calls()).toEqual(['compose build', up('node1'), up('node2'), up('node3')]);
    await rm(join(folder, 'calls'));
    await inContainers(code, folder, { folder, failing: up('node2') });
    expect(await calls()).toEqual(['compose build', up('node1'), up('node2')]);
  },
);

describe('with PostgreSQL and its commands', needs('bash', 'postgres-clients'), () => {
  describeWithRedis('and Redis', (redis) => {
    let server: PostgresServer;
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const nodeEnv = () => ({
      SECRETS_KEY,
      REDIS_URL: redis().url,
      DATABASE_URL: `postgres://parley@${new URL(server.url('parley')).host}/parley`,
    });
    beforeEach(async () => {
      server = await startPostgres({ user: 'postgres', programs: use('postgres-clients') });
      const psql = `psql "$SERVER" --quiet --set ON_ERROR_STOP=1 --file '${join(root, 'deploy/postgres-init.sql')}'`;
      const PATH = `${use('postgres-clients')}:${process.env['PATH']}`;
      await shell(psql, { PATH, SERVER: server.url('postgres'), PARLEY_PASSWORD: 'a-password' });
    });
    afterEach(() => server.stop());

    test('DOCS-5, ADMIN-21: the backup of PostgreSQL is made and restored with the documented commands, and clients reload', async () => {
      await using installation = new Installation();
      await installation.start(nodeEnv());
      const ann = await installation.member('ann');
      const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
      await ann.api.sendMessage({ chat_id, text: 'kept' });
      const run = (name: string) =>
        inContainers(name, folder, {
          folder,
          postgres: server.url('postgres'),
          service: installation.pid,
          SECRETS_KEY,
        });
      await run(documented('docs/RUNNING.md', 'dump'));
      expect((await stat(join(folder, 'monday.dump'))).mode & 0o777).toBe(0o600);
      const follower = await ann.follow();
      await ann.api.sendMessage({ chat_id, text: 'lost' });
      await follower.idle();
      const { head } = await ann.api.getUpdates({ since: 0 });
      await follower.drop();
      expect(await run(documented('docs/RUNNING.md', 'restore'))).toMatch(/every client will reload/);
      await installation.start(nodeEnv());
      expect(await ann.api.getUpdates({ since: head })).toMatchObject({ frames: [], truncated: true });
      await follower.connect();
      await follower.compare();
      expect(follower.recovered.reloads).toBe(1);
      expect((await ann.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['kept']);
      await follower.drop();
    });

    test('DOCS-5: one process moves to several nodes with the documented commands', async () => {
      await using alone = new Installation();
      await using nodes = new Installation();
      await alone.start();
      const ann = await alone.member('ann');
      const key = (await readFile(alone.file('secrets.key'), 'utf8')).trim();
      const containers = {
        folder,
        volume: alone.dataDir,
        postgres: server.url('postgres'),
        service: alone.pid,
        SECRETS_KEY: key,
      };
      const said = await inContainers(documented('docs/RUNNING.md', 'move'), folder, containers);
      expect(said).toMatch(/equals the export/);
      await nodes.start({ ...nodeEnv(), SECRETS_KEY: key });
      expect(await nodes.visitor(ann.token, 'ann').api.getMe()).toMatchObject({ username: 'ann' });
    });
  });
});
