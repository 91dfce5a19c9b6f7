import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { Installation, password } from '@parley/testing/servers/installation.ts';
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
        ['restore a-file', 'pg_restore'],
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
