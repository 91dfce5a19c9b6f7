import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { Installation, password } from '@parley/testing/servers/installation.ts';
import { PostgresConnection } from '../store/engines/postgres.ts';
import { statement } from '../store/sql.ts';
import { describeWithPostgres, postgresForTests } from '@parley/testing/servers/postgres.ts';
import { describeWithRedis } from '@parley/testing/servers/redis.ts';
import { expect, test } from 'vitest';

const newPassword = 'another horse entirely';
const newKey = (): string => randomBytes(32).toString('base64');

describeWithPostgres('The admin command beside several nodes', () => {
  describeWithRedis('with Redis', (redis) => {
    test('ADMIN-14, ADMIN-16: account and session commands work on the database, before the first node starts and beside one', async () => {
      const database = await (await postgresForTests()).createDatabase({ isEmpty: true });
      const [old, fresh] = [`1:${newKey()}`, `2:${newKey()}`];
      const env = {
        DATABASE_URL: database.url,
        REDIS_URL: redis().url,
        SECRETS_KEY: old,
        SIGN_UP: 'closed',
        WEB_PUSH: 'made',
      };
      await using installation = new Installation();
      const admin = (command: string, input = '') => installation.admin(command, input, env);
      expect(await admin('account create ann --password-stdin', password)).toMatchObject({ code: 0, err: '' });
      await installation.start(env);
      const ann = await installation.signIn('ann');
      await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-ann' });
      const socket = await ann.socket();
      expect(await admin('account reset-password ann --password-stdin', newPassword)).toMatchObject({
        code: 0,
        err: '',
      });
      expect((await socket.closed).code).toBe(4401);
      await expect(ann.api.getMe()).rejects.toMatchObject({ status: 401 });
      expect(await admin('account create ann --password-stdin', password)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is taken/),
      });
      expect(await admin('recount')).toEqual({ code: 0, out: 'counts corrected: 0\n', err: '' });
      const reseal = await installation.admin('reseal', '', { ...env, SECRETS_KEY: `${fresh},${old}` });
      // Ann's key, and the service's own key for pushes.
      expect(reseal).toEqual({ code: 0, out: 'resealed: 2, already under the first key: 0\n', err: '' });
      for (const [command, instead] of [
        ['backup a-file', 'pg_dump'],
        ['restore a-file', 'after-restore'],
        ['check', 'PostgreSQL'],
      ] as const)
        expect(await admin(command)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(instead) });
      // A running node executes the request, even if the command has no DATABASE_URL.
      const { DATABASE_URL: _, ...ignorant } = env;
      const list = await installation.admin('sessions list ann', '', ignorant);
      expect(list).toMatchObject({ code: 0, err: '' });
      expect(await installation.admin('account disable ann', '', { ...env, DATABASE_URL: 'mysql://x' })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/DATABASE_URL/),
      });
    });

    test('ADMIN-21: after-restore makes every client reload from a database that was put back, and no earlier node can write', async () => {
      const databases = await postgresForTests();
      const database = await databases.createDatabase({ isEmpty: true });
      const own = { REDIS_URL: redis().url, SECRETS_KEY: `1:${newKey()}` };
      const env = { ...own, DATABASE_URL: database.url };
      await using installation = new Installation();
      await installation.start(env);
      const ann = await installation.member('ann');
      const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
      await ann.api.sendMessage({ chat_id, text: 'kept' });
      const { head: headOfCopy } = await ann.api.getUpdates({ since: 0 });
      await installation.stop();
      const copy = await databases.createDatabase({ copyOf: database });
      await installation.start(env);
      const follower = await ann.follow();
      await ann.api.sendMessage({ chat_id, text: 'lost' });
      await follower.idle();
      const { head } = await ann.api.getUpdates({ since: 0 });
      await follower.drop();
      expect(await installation.admin('after-restore', '', env)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/stop all nodes first/),
      });
      await installation.stop();

      const restored = { ...own, DATABASE_URL: copy.url };
      // The copy was made beside a node, as a copy usually is.
      const connection = await PostgresConnection.open({ url: copy.url });
      await connection.exec("INSERT INTO nodes (key, name) VALUES (999, 'a node of the time of the copy')");
      const { code, out } = await installation.admin('after-restore', '', restored);
      expect([code, out]).toEqual([0, expect.stringMatching(/every client will reload/)]);
      expect(await connection.all(statement('SELECT key FROM nodes'))).toEqual([]);
      await connection.close();
      await installation.start(restored);
      for (const since of [0, 1, headOfCopy, head])
        expect(await ann.api.getUpdates({ since })).toMatchObject({ frames: [], truncated: true });
      await follower.connect();
      await follower.compare();
      expect(follower.recovered.reloads).toBe(1);
      await ann.api.sendMessage({ chat_id, text: 'new' });
      await follower.idle();
      expect((await ann.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['kept', 'new']);
      await follower.compare();
      await follower.drop();
    });

    test('ADMIN-21: after-restore refuses a database that is not of Parley', async () => {
      const database = await (await postgresForTests()).createDatabase({ isEmpty: true });
      await using installation = new Installation();
      const outcome = await installation.admin('after-restore', '', { DATABASE_URL: database.url });
      expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/not a database of Parley/) });
      await database.drop();
    });

    test('ADMIN-15: without DATABASE_URL nothing is created or changed in the folder of a node', async () => {
      const database = await (await postgresForTests()).createDatabase({ isEmpty: true });
      const own = { REDIS_URL: redis().url, SECRETS_KEY: `1:${newKey()}` };
      await using installation = new Installation();
      await installation.start({ ...own, DATABASE_URL: database.url });
      await installation.stop();
      const files = () => readdirSync(installation.dataDir).toSorted();
      const before = files();
      const refusal = /belongs to a node whose data is in PostgreSQL: set DATABASE_URL/;
      for (const command of [
        'account create ann --password-stdin',
        'sessions list ann',
        'backup a-file',
        'check',
        'reseal',
        'export a-folder',
      ]) {
        const { code, out, err } = await installation.admin(command, password, { SECRETS_KEY: own.SECRETS_KEY });
        expect([command, code, out, err.trim().split('\n').length]).toEqual([command, 1, '', 1]);
        expect(err).toMatch(refusal);
      }
      expect(await installation.start({ SECRETS_KEY: own.SECRETS_KEY })).toMatch(refusal);
      expect(files()).toEqual(before);
      rmSync(installation.file('of-several-nodes'));
      expect(await installation.start()).toBe('');
    });
  });
});
