import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '@parley/testing/servers/installation.ts';
import { describeWithPostgres, postgresForTests, type TestDatabase } from '@parley/testing/servers/postgres.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillInstallation, fillTables } from '../../test/running/full-installation.ts';
import { expectUnchanged } from '../../test/running/moved-files.ts';
import { PostgresConnection } from '../../store/engines/postgres.ts';
import { statement } from '../../store/sql.ts';

describeWithPostgres('moving an installation to PostgreSQL', () => {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  let database: TestDatabase;
  let inPostgres: { SECRETS_KEY: string; DATABASE_URL: string };
  beforeEach(async () => {
    // Without tables: the import creates them.
    database = await (await postgresForTests()).createDatabase({ isEmpty: true });
    inPostgres = { SECRETS_KEY, DATABASE_URL: database.url };
  });
  afterEach(() => database.drop());

  test(
    'MOVE-2, MOVE-3: an installation moved to PostgreSQL and back is unchanged in every table and file',
    { timeout: 90_000 },
    async () => {
      await using here = new Installation();
      await using there = new Installation();
      await here.start({ SECRETS_KEY });
      const { ann, chatId: chat_id } = await fillInstallation(here);
      const { items } = await ann.api.getChatHistory({ chat_id });
      const { head } = await ann.api.getUpdates({ since: 0 });
      await here.stop();
      const admin = async (installation: Installation, args: string, env: Record<string, string> = { SECRETS_KEY }) =>
        expect([args, await installation.admin(args, '', env)]).toMatchObject([args, { code: 0, err: '' }]);
      await admin(here, `export ${here.file('one')}`);
      await admin(here, `import ${here.file('one')}`, inPostgres);
      await admin(here, `export ${here.file('two')}`, inPostgres);
      expectUnchanged(here.file('one'), here.file('two'));
      await admin(there, `import ${here.file('two')}`);
      await admin(there, 'check');

      await there.start({ SECRETS_KEY });
      const back = there.visitor(ann.token, 'ann');
      expect((await back.api.getChatHistory({ chat_id })).items.map(({ id, content }) => [id, content])).toEqual(
        items.map(({ id, content }) => [id, content]),
      );
      expect((await back.api.getUpdates({ since: head })).truncated).toBeUndefined();
      expect(await there.admin('reseal', '', { SECRETS_KEY })).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^resealed: 0, already under the first key: [1-9]/),
      });
    },
  );

  test(
    'MOVE-2: rows of all tables are unchanged in PostgreSQL, and new keys and numbers are above theirs',
    { timeout: 60_000 },
    async () => {
      await using here = new Installation();
      expect(await here.admin('account create ann --password-stdin', 'a good password')).toMatchObject({ code: 0 });
      fillTables(here.file('parley.db'));
      const env = { SECRETS_KEY };
      expect(await here.admin(`export ${here.file('one')}`, '', env)).toMatchObject({ code: 0 });
      expect(await here.admin(`import ${here.file('one')}`, '', inPostgres)).toMatchObject({ code: 0, err: '' });
      expect(await here.admin(`export ${here.file('two')}`, '', inPostgres)).toMatchObject({ code: 0, err: '' });
      expectUnchanged(here.file('one'), here.file('two'));
      const { head } = JSON.parse(readFileSync(here.file('one/manifest.json'), 'utf8')) as { head: number };
      const connection = await PostgresConnection.open({ url: database.url });
      try {
        expect(await connection.all(statement('SELECT seq FROM log_head'))).toEqual([{ seq: head }]);
        const most = await connection.get<{ key: number }, []>(statement('SELECT max(key) AS key FROM accounts'));
        const sql = "SELECT nextval(pg_get_serial_sequence('accounts', 'key')) AS key";
        expect(await connection.get(statement(sql))).toEqual({ key: (most?.key ?? 0) + 1 });
      } finally {
        await connection.close();
      }
    },
  );

  test(
    'MOVE-3: a database that is not empty, another key and a corrupted export are refused, and no row is left',
    { timeout: 60_000 },
    async () => {
      await using here = new Installation();
      expect(await here.admin('account create ann --password-stdin', 'a good password')).toMatchObject({ code: 0 });
      const folder = here.file('moving');
      expect(await here.admin(`export ${folder}`, '', { SECRETS_KEY })).toMatchObject({ code: 0 });
      const refused = async (err: RegExp, env: Record<string, string> = inPostgres) => {
        const outcome = await here.admin(`import ${folder}`, '', env);
        expect(outcome).toMatchObject({ code: 1, err });
        expect(outcome.err).not.toContain(database.url);
      };
      await refused(/SECRETS_KEY must be set/, { DATABASE_URL: database.url });
      await refused(/is not the one of the exported/, {
        ...inPostgres,
        SECRETS_KEY: randomBytes(32).toString('base64'),
      });
      const accounts = readFileSync(join(folder, 'accounts.jsonl'), 'utf8');
      writeFileSync(join(folder, 'accounts.jsonl'), accounts.replace('ann', 'eve'));
      await refused(/not equal: accounts/);
      writeFileSync(join(folder, 'accounts.jsonl'), accounts);
      expect(await here.admin(`import ${folder}`, '', inPostgres)).toMatchObject({ code: 0 });
      await refused(/is not empty: it has rows in accounts/);
    },
  );
});
