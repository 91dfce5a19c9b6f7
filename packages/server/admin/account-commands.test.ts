import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ApiError } from '@parley/client';
import { Installation, password } from '@parley/testing/servers/installation.ts';
import { expect, test } from 'vitest';
import { lockDataDir } from '../store/engines/data-dir-lock.ts';

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it went through',
    (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.message}` : error),
  );
const newPassword = 'another horse entirely';

test('ADMIN-2: create makes an account like signUp, even if sign-up is closed, and prints no secret', async () => {
  await using installation = new Installation();
  await installation.start({ SIGN_UP: 'closed' });
  expect(statSync(installation.file('admin.sock')).mode & 0o777).toBe(0o600);
  const made = await installation.admin('account create ann --display-name Ann --password-stdin', `${password}\n`);
  expect(made).toEqual({ code: 0, out: 'created the account ann\n', err: '' });
  const ann = await installation.signIn('ann');
  expect(await ann.api.getMe()).toMatchObject({ username: 'ann', display_name: 'Ann', kind: 'human' });
  expect((await ann.api.getMyAgents()).items.map(({ username }) => username)).toEqual([
    'ann:provider_a',
    'ann:provider_b',
  ]);
  const [chat] = (await ann.api.getChats()).items;
  expect(chat?.participants.map(({ username }) => username)).toEqual(['parley:guide', 'ann']);
  expect(await ann.api.getSessions()).toMatchObject({ items: [{ is_current: true }] });

  for (const name of ['ann', 'parley'])
    expect(await installation.admin(`account create ${name} --password-stdin`, password)).toEqual({
      code: 1,
      out: '',
      err: `error: the username ${name} is taken\n`,
    });
});

test('ADMIN-3, ADMIN-4: a disabled account and its bots lose access immediately, and regain it when it is enabled', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const bob = await installation.member('bob');
  const { token, bot } = await ann.api.createBot({ slug: 'helper', display_name: 'Helper' });
  const helper = installation.visitor(token, bot.username);
  const sockets = [await ann.socket(), await helper.socket()];
  const bystander = await bob.socket();

  const disabled = { code: 0, out: 'ann is disabled; sessions ended: 1\n', err: '' };
  expect(await installation.admin('account disable ann')).toEqual(disabled);
  for (const { closed } of sockets) expect((await closed).code).toBe(4401);
  expect(await refusal(ann.api.getMe())).toMatch(/^401/);
  expect(await refusal(helper.api.getMe())).toMatch(/^401/);
  expect(await refusal(helper.socket())).toMatch(/^401/);
  expect(await refusal(installation.signIn('ann'))).toBe('403 forbidden: this account is disabled');
  expect(await refusal(installation.signIn('ann', 'a wrong password'))).toBe(
    '401 unauthenticated: wrong username or password',
  );
  expect(bystander.isOpen).toBe(true);
  expect((await installation.admin('check')).out).toContain('of these disabled: 1\n');
  expect(await installation.admin('account disable ann')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ended: 0/),
  });

  expect(await installation.admin('account enable ann')).toEqual({ code: 0, out: 'ann is enabled\n', err: '' });
  expect(await helper.api.getMe()).toMatchObject({ username: 'ann:helper' });
  expect(await refusal(ann.api.getMe())).toMatch(/^401/);
  expect(await (await installation.signIn('ann')).api.getMe()).toMatchObject({ username: 'ann' });
  await bystander.close();
});

test('ADMIN-3: a development token does not open a disabled account', async () => {
  await using installation = new Installation();
  await installation.start();
  const dev = installation.visitor('dev:dave', 'dave');
  const socket = await dev.socket();
  expect((await installation.admin('account disable dave')).code).toBe(0);
  expect((await socket.closed).code).toBe(4401);
  expect(await refusal(dev.api.getMe())).toMatch(/^401/);
});

test('ADMIN-5: reset-password ends all sessions, and only the new password works', async () => {
  await using installation = new Installation();
  await installation.start();
  const ann = await installation.member('ann');
  const other = await installation.signIn('ann');
  const socket = await ann.socket();
  const { out, err, code } = await installation.admin(
    'account reset-password ann --password-stdin',
    `${newPassword}\r\n`,
  );
  expect({ out, err, code }).toEqual({ out: 'changed the password of ann; sessions ended: 2\n', err: '', code: 0 });
  expect((await socket.closed).code).toBe(4401);
  for (const actor of [ann, other]) expect(await refusal(actor.api.getMe())).toMatch(/^401/);
  expect(await refusal(installation.signIn('ann'))).toMatch(/^401/);
  expect(await (await installation.signIn('ann', newPassword)).api.getMe()).toMatchObject({ username: 'ann' });
});

test('ADMIN-6: sessions can be listed, and ended one at a time or all at once', async () => {
  await using installation = new Installation();
  await installation.start();
  const first = await installation.member('ann');
  const { token } = await first.api.signIn({
    username: 'ann',
    password,
    device: { name: 'a\u001b[2Jphone', platform: 'ios' },
  });
  const second = installation.visitor(token, 'ann');
  const bob = await installation.member('bob');
  const [newest, oldest] = (await first.api.getSessions()).items;

  const listed = await installation.admin('sessions list ann');
  expect(listed.out.split('\n').map((line) => line.split('  ').toSpliced(1, 1))).toEqual([
    [newest?.id, 'a\u{fffd}[2Jphone, ios'],
    [oldest?.id],
    [''],
  ]);
  const socket = await second.socket();
  expect(await installation.admin(`sessions end ann ${newest?.id}`)).toMatchObject({
    code: 0,
    out: 'sessions ended: 1\n',
  });
  expect((await socket.closed).code).toBe(4401);
  expect(await refusal(second.api.getMe())).toMatch(/^401/);
  expect(await first.api.getMe()).toMatchObject({ username: 'ann' });

  const ofBob = (await bob.api.getSessions()).items[0]?.id;
  for (const id of [ofBob, newest?.id, 'nonsense'])
    expect(await installation.admin(`sessions end ann ${id}`)).toMatchObject({ code: 1, out: '' });
  expect(await installation.admin('sessions end ann --all')).toMatchObject({ code: 0, out: 'sessions ended: 1\n' });
  expect(await refusal(first.api.getMe())).toMatch(/^401/);
  expect(await bob.api.getMe()).toMatchObject({ username: 'bob' });
});

test('ADMIN-7: if no service runs, the commands change the database, even before the first start', async () => {
  await using installation = new Installation();
  expect(await installation.admin('account create ann --password-stdin', password)).toMatchObject({ code: 0 });
  await installation.start();
  const ann = await installation.signIn('ann');
  const [chat] = (await ann.api.getChats()).items;
  expect(chat?.participants.map(({ username }) => username)).toEqual(['parley:guide', 'ann']);
  const { token } = await ann.api.createBot({ slug: 'helper', display_name: 'Helper' });
  const { head } = await ann.api.getUpdates({ since: 0 });
  // A killed service leaves its socket file behind, but no process listens on it.
  await installation.stop('SIGKILL');

  const database = new DatabaseSync(installation.file('parley.db'));
  const [{ key }] = [database.prepare("SELECT key FROM accounts WHERE username = 'ann'").get() ?? {}];
  database.exec(`INSERT INTO push_tokens (platform, address, token, account_key, registered_at)
     VALUES ('web', 'an address', '', ${Number(key)}, 0)`);
  expect((await installation.admin('sessions list ann')).out.split('\n')).toHaveLength(2);
  expect(await installation.admin('account disable ann')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ended: 1/),
  });
  expect(database.prepare('SELECT count(*) AS count FROM push_tokens').get()).toEqual({ count: 0 });
  database.close();
  await installation.start();
  expect(await refusal(ann.api.getMe())).toMatch(/^401/);
  expect(await refusal(installation.visitor(token).api.getMe())).toMatch(/^401/);
  expect(await installation.admin('account enable ann')).toMatchObject({ code: 0 });
  const again = await installation.signIn('ann');
  expect((await again.api.getUpdates({ since: head })).truncated).toBeUndefined();
});

test('ADMIN-9: a folder can have only one running service', async () => {
  await using installation = new Installation();
  await installation.start();
  const { url } = installation;
  expect(await installation.start()).toMatch(/DATA_DIR: another process uses/);
  expect(installation.url).toBe(url);
  expect(await installation.visitor().api.getServerInfo()).toBeDefined();
  await installation.stop();

  expect(await installation.admin('account create ann --password-stdin', password)).toMatchObject({ code: 0 });
  const lock = lockDataDir(installation.dataDir);
  // Another process holds the lock but does not answer, like a service that is still starting.
  expect(await installation.admin('account disable ann')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/does not answer/),
  });
  lock.release();
  expect(await installation.admin('account disable ann')).toMatchObject({ code: 0 });
});

test('ACCT-9, ACCT-10: the operator may use a reserved name, and names older than these rules stay valid', async () => {
  await using installation = new Installation();
  await installation.start();
  await installation.admin('account create desk --display-name Parley_desk --password-stdin', password);
  await installation.member('old');
  await installation.stop();
  const database = new DatabaseSync(installation.file('parley.db'));
  database.prepare(`UPDATE accounts SET display_name = ? WHERE username = 'old'`).run('Two\nlines');
  database.close();
  await installation.start();
  const desk = await installation.signIn('desk');
  const change = { display_name: 'Parley_desk', bio: 'ask us' };
  expect(await desk.api.updateProfile(change)).toMatchObject(change);
  const old = await installation.signIn('old');
  expect(await old.api.updateProfile({ bio: 'here' })).toMatchObject({ display_name: 'Two\nlines', bio: 'here' });
  const { items } = await desk.api.getUsers({ usernames: ['old'] });
  expect(items).toMatchObject([{ display_name: 'Two\nlines' }]);
});

test('ADMIN-22, ROLE-8: account role makes the first owner, and may take the role from the last', async () => {
  await using installation = new Installation();
  await installation.start({ SIGN_UP: 'closed' });
  await installation.admin('account create ann --password-stdin', `${password}\n`);
  const ann = await installation.signIn('ann');
  expect(await ann.api.getMe()).toMatchObject({ role: 'owner' });
  for (const role of ['member', 'owner'] as const) {
    const set = { code: 0, out: `ann has the role ${role}\n`, err: '' };
    expect(await installation.admin(`account role ann ${role}`)).toEqual(set);
    expect(await ann.api.getMe()).toMatchObject({ role });
  }
  expect(await installation.admin('account role ann king')).toMatchObject({ code: 2 });
  expect(await installation.admin('account role nobody owner')).toMatchObject({ code: 1 });
});
