import { Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withRole } from '../helpers/roles.ts';
import { DatabaseSync } from 'node:sqlite';
import type { AuditRow } from '@parley/protocol';
import { Installation } from '@parley/testing/servers/installation.ts';
import { createProgram } from '../../admin/command.ts';

const password = 'correct horse battery staple';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Row {
  actor: string | null;
  action: string;
  target: string | null;
  details: string | null;
  address: string | null;
}
/** The rows of a person, or that name it, oldest first. */
const rowsOf = (username: string): Promise<Row[]> =>
  world.sql<Row>(
    `SELECT actor, action, target, details, address FROM audit
     WHERE actor = $1 OR target = $1 OR target LIKE $2 ORDER BY at, key`,
    username,
    `${username}:%`,
  );

test('AUDIT-1, AUDIT-3: rows say who did what to what, from where, and are written with what they tell of', async () => {
  const username = 'amy';
  const { token } = await (await world.person('host')).api.signUp({ username, password });
  const ann = new Actor(world, username, token);
  const session = { session: expect.any(String) };
  const parsed = async () =>
    (await rowsOf(username)).map(({ details, ...row }) => ({ ...row, details: details && JSON.parse(details) }));
  const by = { actor: username, address: '127.0.0.1' };
  expect(await parsed()).toEqual([{ ...by, action: 'signUp', target: username, details: session }]);
  const again = new Actor(world, username, (await ann.api.signIn({ username, password })).token);
  await again.api.createBot({ slug: 'helper', display_name: 'Helper' });
  await again.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-a-secret' });
  await again.api.signOut();
  await ann.api.changePassword({ old_password: password, new_password: 'another horse entirely' });
  expect((await parsed()).slice(1)).toEqual([
    { ...by, action: 'signIn', target: username, details: session },
    { ...by, action: 'createBot', target: `${username}:helper`, details: null },
    { ...by, action: 'setAgentKey', target: `${username}:provider_a`, details: null },
    // Target is the session.
    { ...by, action: 'signOut', target: expect.stringMatching(/^[0-9a-f-]{36}$/), details: null },
    { ...by, action: 'changePassword', target: username, details: null },
  ]);
});

test('AUDIT-6: a sign-in that failed has a row of nobody, with the name that was tried', async () => {
  const ann = await world.member();
  for (const username of [ann.username, 'nobody_at_all'])
    await expect(ann.api.signIn({ username, password: 'a wrong password' })).rejects.toMatchObject({ status: 401 });
  for (const username of [ann.username, 'nobody_at_all'])
    expect((await rowsOf(username)).at(-1)).toEqual({
      actor: null,
      action: 'signIn',
      target: username,
      details: '{"failed":"wrong username or password"}',
      address: '127.0.0.1',
    });
});

test('AUDIT-3: what admins change of public groups and groups of people has rows, and what changes nothing has none', async () => {
  const [boss, ann] = [await world.person('boss'), await world.person('member_of_it')];
  await withRole(world, boss, 'admin');
  const { id: chat_id } = await world.group(ann);
  for (const visibility of ['public', 'public'] as const) await ann.api.setChatVisibility({ chat_id, visibility });
  for (const posting of ['everyone', 'managers'] as const) await ann.api.setChatPosting({ chat_id, posting });
  await boss.api.setDefaultChats({ chat_ids: [chat_id] });
  await boss.api.createUserGroup({ name: 'support', title: 'A title', usernames: [ann.username] });
  await boss.api.updateUserGroup({ name: 'support', usernames: [] });
  await boss.api.deleteUserGroup({ name: 'support' });
  await expect(boss.api.deleteUserGroup({ name: 'support' })).rejects.toMatchObject({ status: 404 });
  const rows = [...(await rowsOf(ann.username)), ...(await rowsOf(boss.username))];
  expect(rows.map(({ action, target, details }) => [action, target, details && JSON.parse(details)])).toEqual([
    ['setChatVisibility', chat_id, { visibility: 'public' }],
    ['setChatPosting', chat_id, { posting: 'managers' }],
    ['setDefaultChats', null, { chat_ids: [chat_id] }],
    ['createUserGroup', 'support', { usernames: [ann.username] }],
    ['updateUserGroup', 'support', { usernames: [] }],
    ['deleteUserGroup', 'support', null],
  ]);
});
const promote = ({ username }: Actor) => world.sql("UPDATE accounts SET role = 'owner' WHERE username = $1", username);

/** All pages of what a filter finds. */
async function audit({ api }: Actor, filter: Parameters<Actor['api']['getAudit']>[0] = {}) {
  const items: AuditRow[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await api.getAudit({ ...filter, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

test('AUDIT-7: owners read the audit in pages, newest first, by actor, target, action and time; others are refused', async () => {
  const olga = await world.member();
  await promote(olga);
  const ann = await world.member();
  const names = [];
  for (let count = 0; count < 7; count += 1) {
    const { bot } = await ann.api.createBot({ slug: `b${count}`, display_name: 'B' });
    names.push(bot.username);
  }
  await ann.api.deleteBot({ username: `${ann.username}:b3` });
  const whole = await audit(olga, { actor: ann.username });
  const made = names.map((target) => ({ action: 'createBot', target }));
  const [deleted, ...rest] = whole;
  expect(deleted).toMatchObject({ actor: ann.username, action: 'deleteBot', target: `${ann.username}:b3` });
  expect(rest).toMatchObject([...made.toReversed(), { action: 'signUp' }]);
  for (const limit of [1, 2, 3, 8]) expect(await audit(olga, { actor: ann.username, limit })).toEqual(whole);
  expect(await audit(olga, { target: `${ann.username}:b3` })).toEqual([deleted, rest[3]]);
  expect(await audit(olga, { target: `${ann.username}:b3`, action: 'createBot', actor: ann.username })).toEqual([
    rest[3],
  ]);
  expect(await audit(olga, { actor: ann.username, action: 'signOut' })).toEqual([]);
  // What was done from a time on, and before it.
  const at = rest[2]?.at ?? '';
  const [since, before] = [{ after: at }, { before: at }];
  const both = [
    ...(await audit(olga, { actor: ann.username, ...since })),
    ...(await audit(olga, { actor: ann.username, ...before })),
  ];
  expect(both).toEqual(whole);
  expect((await audit(olga, { actor: ann.username, ...since })).every((row) => row.at >= at)).toBe(true);
  await expect(olga.api.getAudit({ after: 'yesterday' })).rejects.toMatchObject({ status: 400 });
  for (const role of ['admin', 'moderator', 'member', 'guest']) {
    await world.sql('UPDATE accounts SET role = $1 WHERE username = $2', role, ann.username);
    await expect(ann.api.getAudit()).rejects.toMatchObject({ status: 403 });
  }
});

test('AUDIT-1: what fails has no row, and rows stay as they were when the account is deleted', async () => {
  const ann = await world.member();
  await expect(ann.api.deleteBot({ username: `${ann.username}:none` })).rejects.toMatchObject({ status: 404 });
  await expect(ann.api.createBot({ slug: 'provider_a', display_name: 'B' })).rejects.toMatchObject({ status: 409 });
  await ann.api.createBot({ slug: 'b', display_name: 'B' });
  const before = await rowsOf(ann.username);
  await ann.api.deleteAccount({ password });
  const after = await rowsOf(ann.username);
  expect(after.slice(0, -1)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ actor: ann.username, action: 'deleteAccount', target: ann.username });
});

test('AUDIT-1: what administrators do a second time changes nothing, and has no second row', async () => {
  const owner = await world.person('owner_of_rows');
  await withRole(world, owner, 'owner');
  const { username } = await world.member();
  for (let count = 0; count < 2; count += 1) {
    await owner.api.approveAccount({ username, approved: true });
    await owner.api.setAccountRole({ username, role: 'moderator' });
    await owner.api.setAccountDisabled({ username, disabled: true });
  }
  const { id } = await owner.api.startChat({ title: 'All', usernames: [], visibility: 'public' });
  for (let count = 0; count < 2; count += 1) {
    await owner.api.setAccountDisabled({ username, disabled: false });
    await owner.api.setServiceSettings({ who_invites: 'admins' });
    await owner.api.setDefaultChats({ chat_ids: [id] });
  }
  for (let count = 0; count < 2; count += 1) await owner.api.setDefaultChats({ chat_ids: [] });
  await owner.api.setServiceSettings({ who_invites: 'members' });
  const rows = (await rowsOf(owner.username)).filter(({ action }) => action.startsWith('set'));
  expect(rows.map(({ action }) => action)).toEqual([
    'setAccountRole',
    'setAccountDisabled',
    'setAccountDisabled',
    'setServiceSettings',
    'setDefaultChats',
    'setDefaultChats',
    'setServiceSettings',
  ]);
});

test('AUDIT-2: nobody takes the name of the shell, and an older account of that name does not act as it', async () => {
  const former = await world.member('will_be_shell');
  await expect(former.api.signUp({ username: 'shell', password })).rejects.toMatchObject({ status: 409 });
  await expect(new Actor(world, 'shell', 'dev:shell').api.getMe()).rejects.toMatchObject({ status: 401 });
  await world.sql("UPDATE accounts SET username = 'shell' WHERE username = 'will_be_shell'");
  await former.api.signIn({ username: 'shell', password });
  const rows = await world.sql<Row>("SELECT actor FROM audit WHERE target = 'shell' AND action = 'signIn'");
  expect(rows).toMatchObject([{ actor: '@shell' }]);
});

test('AUDIT-6: what was typed as the name is no target if it cannot be one, or is the password that was typed', async () => {
  const { api } = await world.member();
  const typed = ['correct horse 8 battery', 'onlyletters'];
  for (const text of typed)
    await expect(api.signIn({ username: text, password: 'onlyletters' })).rejects.toMatchObject({ status: 401 });
  const rows = await world.sql<Row>('SELECT target, details FROM audit WHERE actor IS NULL ORDER BY key DESC LIMIT 2');
  expect(rows.map(({ target }) => target)).toEqual([null, null]);
  for (const text of typed) expect(JSON.stringify(rows)).not.toContain(text);
});

test('AUDIT-1: no row holds a password, a token, a key or a link', async () => {
  const ann = await world.member();
  const secrets = [password, 'sk-ant-of-ann', ann.token, 'another horse entirely'];
  const { token, bot } = await ann.api.createBot({ slug: 'b', display_name: 'B' });
  secrets.push(token, (await ann.api.rotateBotToken({ username: bot.username })).token);
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'sk-ant-of-ann' });
  secrets.push((await ann.api.exportMyData({ password })).url);
  await ann.api.changePassword({ old_password: password, new_password: 'another horse entirely' });
  const signedIn = await ann.api.signIn({ username: ann.username, password: 'another horse entirely' });
  secrets.push(signedIn.token, signedIn.device_token ?? '');
  await expect(ann.api.signIn({ username: ann.username, password: 'a wrong secret' })).rejects.toMatchObject({
    status: 401,
  });
  const text = JSON.stringify(await rowsOf(ann.username));
  expect(text).toContain('exportMyData');
  for (const secret of [...secrets, 'a wrong secret']) expect(text).not.toContain(secret);
});

test('AUDIT-6: a flood of wrong passwords adds few rows, and hides no attack on an account', async () => {
  const clock = new ManualClock();
  await using flooded = await createWorld({ clock, env: { RATE_LIMITS: '0' } });
  const ann = await flooded.member();
  const failed = () =>
    flooded.sql<{ target: string; details: string }>(
      'SELECT target, details FROM audit WHERE actor IS NULL ORDER BY key',
    );
  const attempt = (username: string) =>
    expect(ann.api.signIn({ username, password: 'wrong password' })).rejects.toMatchObject({ status: 401 });
  for (let count = 0; count < 30; count += 1) await attempt(`nobody${count}`);
  const rows = await failed();
  expect(rows).toHaveLength(20);
  expect(rows.map(({ details }) => details.includes('and_more'))).toEqual(rows.map((_row, at) => at === 19));
  for (let count = 0; count < 5; count += 1) await attempt(ann.username);
  expect((await failed()).slice(20)).toMatchObject([{ target: ann.username }]);
  await clock.sleep(3_600_001);
  await attempt('nobody');
  expect(await failed()).toHaveLength(22);
});

test(
  'AUDIT-2: every command of the shell writes its row, or is listed with the reason why not',
  { timeout: 120_000 },
  async () => {
    await using here = new Installation();
    await using there = new Installation();
    const typed: Readonly<Record<string, () => Promise<unknown>>> = {
      async 'account create'() {
        await here.admin('account create ann --password-stdin', password);
        return here.admin('account create bob --password-stdin', password);
      },
      'account disable': () => here.admin('account disable bob'),
      'account enable': () => here.admin('account enable bob'),
      'account role': () => here.admin('account role bob admin'),
      'account reset-password': () =>
        here.admin('account reset-password bob --password-stdin', 'another horse entirely'),
      'sessions list': () => here.admin('sessions list bob'),
      'sessions end': () => here.admin('sessions end bob --all'),
      'backends key': () => here.admin('backends key shop --owner ann'),
      'backends list': () => here.admin('backends list'),
      'backends revoke': () => here.admin('backends revoke shop'),
      'house set': () => here.admin('house set --provider provider_a --key-stdin', 'a key of the house'),
      'house show': () => here.admin('house show'),
      'house remove': () => here.admin('house remove'),
      backup: () => here.admin(`backup ${here.file('copy')}`),
      'after-restore': () => here.admin('after-restore'),
      reseal: () => here.admin('reseal'),
      check: () => here.admin('check'),
      recount: () => here.admin('recount'),
      export: () => here.admin(`export ${here.file('moving')}`),
      restore: () => here.admin(`restore ${here.file('copy')}`),
    };
    /** Commands that are tried elsewhere, or write nothing, with the reason. */
    const others: Readonly<Record<string, string>> = {
      'push-keys': 'reaches no installation',
      import: 'below: it needs an empty installation',
      'backends trust': 'needs a file of keys; its unit declares its row',
      'account reset-second-factor': 'needs a second factor; its unit declares its row',
      'emoji delete': 'needs an emoji; its unit declares its row',
    };
    const commands = createProgram({ env: {} } as never).commands.flatMap((command) =>
      command.commands.length > 0 ? command.commands.map((one) => `${command.name()} ${one.name()}`) : [command.name()],
    );
    expect([...Object.keys(typed), ...Object.keys(others)].toSorted()).toEqual(commands.toSorted());
    await here.start();
    await here.stop();
    for (const [command, run] of Object.entries(typed)) {
      const outcome = await run();
      expect([command, outcome]).toEqual([command, expect.objectContaining({ code: 0, err: '' })]);
      const row = rowsIn(here, 'SELECT actor, action, address FROM audit ORDER BY key DESC').at(0);
      expect(row).toEqual({ actor: 'shell', action: command, address: null });
    }
    expect(await there.admin(`import ${here.file('moving')}`)).toMatchObject({ code: 0 });
    expect(rowsIn(there, 'SELECT action FROM audit').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account create', 'recount', 'import']),
    );
  },
);

test(
  'AUDIT-1: after a kill there is a row for each change, and a change for each row',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    await using installation = new Installation();
    await installation.start();
    const ann = await installation.member('ann');
    for (const round of [1, 2, 3]) {
      let made = 0;
      let isKilled = false;
      const lanes = Array.from({ length: 4 }, async (_, lane) => {
        for (let count = 0; count < 8 && !isKilled; count += 1) {
          const { bot } = await ann.api.createBot({ slug: `b${round}x${lane}x${count}`, display_name: 'B' });
          if (count % 2 === 0) await ann.api.deleteBot({ username: bot.username });
          made += 1;
          // In the middle of the writes: some have been answered, others are under way.
          if (made !== 4 * round) continue;
          isKilled = true;
          await installation.stop('SIGKILL');
        }
      });
      await Promise.allSettled(lanes);
      expect(isKilled).toBe(true);
      const names = (sql: string) => rowsIn(installation, sql).map(({ name }) => name);
      const acts = (action: string) =>
        names(`SELECT target AS name FROM audit WHERE action = '${action}' ORDER BY target`);
      const gone = new Set(acts('deleteBot'));
      expect(gone.size).toBeGreaterThan(0);
      const left =
        "SELECT username AS name FROM accounts WHERE username LIKE 'ann:b%' AND deleted_at IS NULL ORDER BY 1";
      expect(names(left)).toEqual(acts('createBot').filter((name) => !gone.has(name)));
      await installation.start();
    }
  },
);

/** The rows of a stopped or running installation. */
function rowsIn(installation: Installation, sql: string) {
  const database = new DatabaseSync(installation.file('parley.db'), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
