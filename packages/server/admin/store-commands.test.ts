import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Installation } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';

const edit = (file: string, sql: string): void => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

test('ADMIN-8: a backup is one snapshot while others write, is private to its owner and overwrites nothing', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
  const sending = Array.from({ length: 200 }, (_, at) => ann.api.sendMessage({ chat_id, text: `message ${at}` }));
  await sending[0];
  const file = installation.file('backup.db');
  const { code, out } = await installation.admin(`backup ${file}`);
  await Promise.all(sending);
  expect(code).toBe(0);
  expect(out).toMatch(/keep secrets\.key .* apart/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(installation.dataDir).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
  const database = new DatabaseSync(file, { readOnly: true });
  // The backup contains each message together with its event, or neither.
  const [sent, withoutEvent] = ['', 'AND key NOT IN (SELECT ref FROM events WHERE ref IS NOT NULL)'].map((also) =>
    Number(database.prepare(`SELECT count(*) AS count FROM messages WHERE chat_key = 2 ${also}`).get()?.['count']),
  );
  database.close();
  expect(withoutEvent).toBe(0);
  expect(sent).toBeGreaterThan(0);

  const before = readFileSync(file);
  expect(await installation.admin(`backup ${file}`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/already exists/),
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(await installation.admin(`backup ${installation.file('no/folder/b')}`)).toMatchObject({ code: 1, out: '' });
});

test(
  'ADMIN-9, ADMIN-10: a restored backup has its old content, higher log numbers and an empty log; the previous database is kept',
  { timeout: 60_000 },
  async () => {
    await using installation = new Installation();
    await installation.start();
    const ann = await installation.member('ann');
    const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
    await ann.api.sendMessage({ chat_id, text: 'before' });
    const file = installation.file('backup.db');
    expect(await installation.admin(`backup ${file}`)).toMatchObject({ code: 0 });
    const { head: headOfBackup } = await ann.api.getUpdates({ since: 0 });
    await ann.api.sendMessage({ chat_id, text: 'after' });
    const { head } = await ann.api.getUpdates({ since: 0 });

    expect(await installation.admin(`restore ${file}`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/a service .* is using/),
    });
    expect(await ann.api.getMe()).toMatchObject({ username: 'ann' });
    await installation.stop();

    let least = head;
    for (const round of [1, 2]) {
      const { code, out } = await installation.admin(`restore ${file}`);
      expect([round, code]).toEqual([round, 0]);
      const aside = /The previous database is now (.*)\.\n/.exec(out)?.[1] ?? '';
      const former = new DatabaseSync(aside, { readOnly: true });
      const texts = former.prepare("SELECT count(*) AS count FROM messages WHERE record LIKE '%after%'").get();
      former.close();
      expect([round, texts]).toEqual([round, { count: 1 }]);

      await installation.start();
      expect((await ann.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['before']);
      for (const since of [0, headOfBackup, head, least])
        expect(await ann.api.getUpdates({ since })).toMatchObject({ frames: [], truncated: true });
      const follower = await ann.follow();
      await ann.api.sendMessage({ chat_id, text: 'after' });
      const news = await ann.api.getUpdates({ since: follower.socket?.hello.head ?? 0 });
      expect(news.truncated).toBeUndefined();
      // The second restore jumps from the log numbers of the first restore, not from those of the backup.
      expect(news.head).toBeGreaterThan(least + 2 ** 40 - 1);
      least = news.head;
      await follower.socket?.close();
      expect(await installation.admin('check')).toMatchObject({ code: 0, err: '' });
      await installation.stop();
    }
  },
);

test(
  'ADMIN-21: after a copy of the disk was put back, after-restore makes every client reload',
  { timeout: 60_000 },
  async () => {
    await using installation = new Installation();
    await installation.start();
    const ann = await installation.member('ann');
    const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
    await ann.api.sendMessage({ chat_id, text: 'kept' });
    await installation.stop();
    const disk = () => readdirSync(installation.dataDir).filter((name) => name.startsWith('parley.db'));
    const copied = new Map(disk().map((name) => [name, readFileSync(installation.file(name))]));
    await installation.start();
    await ann.api.sendMessage({ chat_id, text: 'lost' });
    const { head } = await ann.api.getUpdates({ since: 0 });
    expect(await installation.admin('after-restore')).toMatchObject({ code: 1, out: '' });
    await installation.stop();
    for (const name of disk()) rmSync(installation.file(name));
    for (const [name, bytes] of copied) writeFileSync(installation.file(name), bytes);
    expect(await installation.admin('after-restore')).toMatchObject({ code: 0, err: '' });
    await installation.start();
    for (const since of [0, head])
      expect(await ann.api.getUpdates({ since })).toMatchObject({ frames: [], truncated: true });
    expect((await ann.api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toEqual(['kept']);
    await installation.stop();
    expect(await installation.admin('check')).toMatchObject({ code: 0, err: '' });
  },
);

test('ADMIN-10: an incomplete or damaged backup is refused, and the database is left unchanged', async () => {
  await using installation = new Installation();
  expect(await installation.admin('account create ann --password-stdin', 'a good password')).toMatchObject({ code: 0 });
  const file = installation.file('backup.db');
  expect(await installation.admin(`backup ${file}`)).toMatchObject({ code: 0 });
  const whole = readFileSync(file);
  const others = {
    empty: Buffer.alloc(0),
    'of bytes': randomBytes(8_192),
    short: whole.subarray(0, whole.length - 3 * 4_096),
    // Damage one page of the accounts' index.
    damaged: Buffer.concat([whole.subarray(0, 4 * 4_096), randomBytes(8 * 4_096), whole.subarray(12 * 4_096)]),
  };
  const list = () => readdirSync(installation.dataDir).toSorted();
  for (const [name, bytes] of Object.entries(others)) {
    writeFileSync(installation.file('bad.db'), bytes);
    const before = list();
    const { code, out, err } = await installation.admin(`restore ${installation.file('bad.db')}`);
    expect([name, code, out]).toEqual([name, 1, '']);
    expect(err).toMatch(/^error: (the backup (is damaged|cannot be used)|this is not a database)/);
    expect(list()).toEqual(before);
  }
  // Another process reads the database and has its write-ahead log open.
  const reader = new DatabaseSync(installation.file('parley.db'));
  reader.exec('BEGIN; SELECT * FROM meta');
  expect(await installation.admin(`restore ${file}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/another process reads or writes/),
  });
  reader.close();

  copyFileSync(file, installation.file('newer.db'));
  edit(installation.file('newer.db'), 'PRAGMA user_version = 9999');
  expect(await installation.admin(`restore ${installation.file('newer.db')}`)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/of version 9999/),
  });
  for (const other of ['parley.db', 'absent.db'])
    expect(await installation.admin(`restore ${installation.file(other)}`)).toMatchObject({ code: 1, out: '' });
  expect(await installation.admin('sessions list ann')).toMatchObject({ code: 0 });
});

test('ADMIN-10: a backup can be restored where there is no database or a damaged one', async () => {
  await using installation = new Installation();
  await using other = new Installation();
  expect(await installation.admin('account create ann --password-stdin', 'a good password')).toMatchObject({ code: 0 });
  const file = installation.file('backup.db');
  expect(await installation.admin(`backup ${file}`)).toMatchObject({ code: 0 });
  const restored = await other.admin(`restore ${file}`);
  expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/Put secrets\.key into/) });
  expect(restored.out).not.toMatch(/former/);
  expect(existsSync(other.file('secrets.key'))).toBe(false);
  writeFileSync(other.file('parley.db'), randomBytes(4_096));
  expect(await other.admin(`restore ${file}`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/The previous database is now/),
  });
  expect(await other.admin('sessions list ann')).toMatchObject({ code: 0 });
});

test('ADMIN-11: reseal seals all secrets under the first key while the service runs', async () => {
  await using installation = new Installation();
  const [old, fresh] = [`old:${randomBytes(32).toString('base64')}`, `new:${randomBytes(32).toString('base64')}`];
  await installation.start({ SECRETS_KEY: old, WEB_PUSH: 'made' });
  const ann = await installation.member('ann');
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-a-key-of-ann' });
  await installation.stop();
  await installation.start({ SECRETS_KEY: `${fresh},${old}` });
  const reseal = (SECRETS_KEY: string) => installation.admin('reseal', '', { SECRETS_KEY });
  expect(await reseal(fresh)).toMatchObject({ code: 1, err: expect.stringMatching(/no key opens 2 secrets/) });
  expect(await reseal(`${fresh},${old}`)).toEqual({
    code: 0,
    // Ann's key, and the service's own key for pushes.
    out: 'resealed: 2, already under the first key: 0\n',
    err: '',
  });
  expect(await reseal(fresh)).toEqual({ code: 0, out: 'resealed: 0, already under the first key: 2\n', err: '' });
});

test('ADMIN-12: check counts rows and names each kind of dangling reference', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const bob = await installation.member('bob');
  const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'a group' });
  const { bot, token } = await ann.api.createBot({ slug: 'helper', display_name: 'Helper' });
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const asked = await bob.api.sendMessage({ chat_id, text: '@ann:helper hello' });
  await bob.api.setMessageReaction({ message_id: asked.id, emoji: '👍' });
  await ann.api.pinMessage({ chat_id, message_id: asked.id });
  await installation.visitor(token, bot.username).api.startMessageStream({ chat_id, reply_to_message_id: asked.id });
  const well = await installation.admin('check');
  expect(well).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/accounts: 2\n.*open replies: 1\n.*no problems found\n$/s),
  });
  await installation.stop('SIGKILL');
  expect(await installation.admin('check')).toEqual(well);

  edit(
    installation.file('parley.db'),
    `DELETE FROM streams; DELETE FROM accounts WHERE username = 'bob'; DELETE FROM turns;
     INSERT INTO streams (message_key, agent_key, chat_key, turn_key, runner, text, revision_reserved, started_at)
       VALUES (999, 999, 1, 999, 'daemon', '', 1, 0);
     UPDATE chats SET participant_count = participant_count + 1 WHERE kind = 'group'`,
  );
  const { code, err } = await installation.admin('check');
  expect(code).toBe(1);
  expect(err.split('\n').slice(1)).toEqual([
    'accounts without their owner: 2',
    'sessions without their account: 1',
    'device tokens without their account: 1',
    'participants without their account: 2',
    'messages without their author: 1',
    'reactions without their account: 1',
    'stored bytes without their owner: 1',
    'streams without their message: 1',
    'streams without their agent: 1',
    'streams without their turn: 1',
    'open replies without their stream: 1',
    'conversations that count their participants wrongly: 1',
    '',
  ]);
});

test('ADMIN-16: recount corrects the stored byte counts, with and without a running service', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  await installation.member('bob');
  const { id: chat_id } = await ann.api.startChat({ usernames: ['bob'], title: 'a group' });
  await ann.api.sendMessage({ chat_id, text: 'hello' });
  const spoil = () => edit(installation.file('parley.db'), 'UPDATE stored_bytes SET bytes = bytes + 1000');
  const wrong = { code: 1, err: expect.stringMatching(/owners whose stored bytes are counted wrongly: 1/) };
  const recount = async () => {
    spoil();
    expect(await installation.admin('check')).toMatchObject(wrong);
    expect(await installation.admin('recount')).toEqual({ code: 0, out: 'counts corrected: 1\n', err: '' });
    expect(await installation.admin('check')).toMatchObject({ code: 0, err: '' });
    expect(await installation.admin('recount')).toMatchObject({ code: 0, out: 'counts corrected: 0\n' });
  };
  await recount();
  await installation.stop();
  await recount();
});

test('ADMIN-16: recount writes the forms of names that an earlier version has stored', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  await installation.member('bob');
  await ann.api.startChat({ usernames: ['bob'], title: 'a group' });
  edit(
    installation.file('parley.db'),
    `UPDATE accounts SET display_name = 'Zo\u00eb', search_name = 'zo\u00eb' WHERE username = 'bob'`,
  );
  expect((await ann.api.getUsers({ query: 'zoe' })).items).toEqual([]);
  expect(await installation.admin('recount')).toMatchObject({ code: 0 });
  expect((await ann.api.getUsers({ query: 'zoe' })).items).toMatchObject([{ username: 'bob' }]);
});
