import { type Actor, createWorld, ManualClock, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tablesOf } from '../../admin/move/move-tables.ts';
import { theService } from '../../calls/unit-queue.ts';
import { idBytes } from '../../core/ids.ts';
import { mark } from '../../store/messages.ts';
import type { SqlValue } from '../../store/sql.ts';
import { references } from '../../store/tables/index.ts';
import type { Target } from '../../store/tables/table.ts';
import { upload } from '../helpers/file-stage.ts';
import { withRole } from '../helpers/roles.ts';

// For each reference that is declared to be deleted with the row that it refers to: a row that refers to it, and the
// operation that deletes the latter.

type Declared = (typeof references)[number];
type Keys = Partial<Record<Target, SqlValue>>;

/** What is deleted, by a test of its own, in rows that other rows of the same kind do not have. */
const elsewhere: Readonly<Record<string, string>> = {
  'streams.message_key': 'DEL-3: only an open reply has one',
  'streams.agent_key': 'PEOPLE-13: only an open reply has one',
  'reply_versions.message_key': 'REGEN-4: only one of several replies has one',
};
const declared = references.filter(
  ({ table, column, to }) => to.onDelete !== undefined && elsewhere[`${table}.${column}`] === undefined,
);

/** Columns that have values of their own kinds. */
const kinds: Readonly<Record<string, Readonly<Record<string, SqlValue>>>> = {
  scheduled: { kind: 'reminder', state: 'waiting' },
};

// Time stands still, so that the service does nothing with the rows that the test inserts.
const clock = new ManualClock();
let world: World;
beforeAll(async () => {
  world = await createWorld({ clock });
});
afterAll(() => world.close());

const columnsOf = new Map(tablesOf(declared.map(({ table }) => table)).map(({ name, columns }) => [name, columns]));
let made = 0;

/** Inserts a row that refers to a row by one column, and in its other columns to the `others`. */
async function insert({ table, column }: Declared, key: SqlValue, others: Keys): Promise<void> {
  const columns = columnsOf.get(table) ?? expect.fail(`${table} has no columns`);
  made += 1;
  const number = 1_000_000 + made;
  const values = columns.map(({ name, type }): SqlValue => {
    if (name === column) return key;
    const to = references.find((one) => one.table === table && one.column === name)?.to;
    // Sessions are named by their ids, but for those of issuers.
    const other = to && (to.table === 'sessions' && to.key !== 'id' ? number : (others[to.table] ?? to.none));
    if (other !== undefined) return other;
    return kinds[table]?.[name] ?? { int: number, text: `t${number}`, blob: Buffer.alloc(16, made) }[type];
  });
  const names = columns.map(({ name }) => name).join(', ');
  await world.sql(
    `INSERT INTO ${table} (${names}) VALUES (${values.map((_, at) => `$${at + 1}`).join(', ')})`,
    ...values,
  );
}

const isThere = async ({ table, column }: Declared, key: SqlValue): Promise<boolean> =>
  (await world.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, key)).length > 0;

async function keyOf(table: string, column: string, value: SqlValue): Promise<number> {
  const [row] = await world.sql<{ key: number }>(`SELECT key FROM ${table} WHERE ${column} = $1`, value);
  return row?.key ?? expect.fail(`no ${table} with this ${column}`);
}

interface Scene {
  readonly owner: Actor;
  readonly chat_id: string;
  readonly others: Keys;
}

/** A group, and rows in it that stay. */
async function scene(): Promise<Scene> {
  const owner = await world.member();
  const { id: chat_id } = await world.group(owner);
  const { id: message } = await owner.api.sendMessage({ chat_id, text: 'stays' });
  const file = await upload(owner, 'stays', 'stays.txt');
  const { api } = await world.signIn(owner);
  const session = (await api.getSessions()).items.find(({ is_current }) => is_current);
  const others: Keys = {
    accounts: await keyOf('accounts', 'username', owner.username),
    chats: await keyOf('chats', 'id', idBytes(chat_id)),
    messages: await keyOf('messages', 'id', idBytes(message)),
    polls: await keyOf('messages', 'id', idBytes(message)),
    files: await keyOf('files', 'id', idBytes(file.id)),
    sessions: idBytes(session?.id ?? ''),
    // No check refers to these while the test runs.
    push_tokens: 999,
    scheduled: 999,
    backends: 999,
    tool_servers: 999,
    user_groups: 999,
    turns: 999,
  };
  return { owner, chat_id, others };
}

/** The row that an operation deletes. */
interface Doomed {
  /** Its key, for one of the references to it. */
  readonly keyFor: (of: Declared) => SqlValue;
  readonly others: Keys;
  readonly remove: () => Promise<unknown>;
}

const password = 'correct horse battery staple';

/** Deletes a message, with its poll. */
async function deletedMessage(): Promise<Doomed> {
  const { owner, chat_id, others } = await scene();
  const file = await upload(owner, 'of the message', 'file.txt');
  const { id } = await owner.api.sendMessage({ chat_id, text: 'hello', attachments: [{ id: file.id }] });
  const key = await keyOf('messages', 'id', idBytes(id));
  const marks = mark.reactions | mark.poll;
  await world.sql(`UPDATE messages SET marks = marks | ${marks} WHERE key = $1`, key);
  return {
    keyFor: () => key,
    // A summary is deleted with each message from its first to the one that it is made up to.
    others: { ...others, messages: key, polls: key, files: await keyOf('files', 'id', idBytes(file.id)) },
    remove: () => owner.api.deleteMessages({ message_ids: [id] }),
  };
}

const doomed: Partial<Record<Target, () => Promise<Doomed>>> = {
  async accounts() {
    const { others } = await scene();
    const person = await world.member();
    const bot = await world.bot(person);
    const [ofPerson, ofBot] = [
      await keyOf('accounts', 'username', person.username),
      await keyOf('accounts', 'username', bot.username),
    ];
    const { id: chat_id } = await world.group(person);
    await person.api.registerPushToken({ platform: 'ios', token: 'fedcba9876543210' });
    return {
      keyFor: ({ table, column }) =>
        column === 'agent_key' || table === 'bots' || table === 'webhooks' ? ofBot : ofPerson,
      others: {
        ...others,
        chats: await keyOf('chats', 'id', idBytes(chat_id)),
        // What a device shows is deleted by the device, which is that of the account.
        push_tokens: await keyOf('push_tokens', 'account_key', ofPerson),
      },
      remove: () => person.api.deleteAccount({ password }),
    };
  },
  async sessions() {
    const { owner, others } = await scene();
    const { api } = await world.signIn(owner);
    const session_id = (await api.getSessions()).items.find(({ is_current }) => is_current)?.id ?? '';
    const key = await keyOf('sessions', 'id', idBytes(session_id));
    return {
      keyFor: ({ to }) => (to.key === 'id' ? idBytes(session_id) : key),
      others,
      remove: () => owner.api.terminateSession({ session_id }),
    };
  },
  async channels() {
    const { owner, chat_id, others } = await scene();
    const { id: channel_id } = await owner.api.createChannel({ chat_id, title: 'doomed' });
    const key = await keyOf('channels', 'id', idBytes(channel_id));
    await owner.api.createWebhook({ chat_id, channel_id });
    return {
      keyFor: () => key,
      others,
      remove: () => owner.api.deleteChannel({ chat_id, channel_id }),
    };
  },
  async reports() {
    const { owner, chat_id, others } = await scene();
    const { id: message_id } = await owner.api.sendMessage({ chat_id, text: 'reported' });
    const { id } = await owner.api.reportMessage({ message_id });
    const key = await keyOf('reports', 'id', idBytes(id));
    // Resolved so long ago that nobody needs to know it.
    await world.sql("UPDATE reports SET state = 'resolved', copy = NULL, resolved_at = 0 WHERE key = $1", key);
    const { units } = world.service;
    return { keyFor: () => key, others, remove: () => units.run('forgetReports', theService, {}, clock.now()) };
  },
  async service_invites() {
    const { owner, chat_id, others } = await scene();
    const { id: invite_id } = await owner.api.createServiceInvite({ chat_ids: [chat_id] });
    const key = await keyOf('service_invites', 'id', idBytes(invite_id));
    return { keyFor: () => key, others, remove: () => owner.api.revokeServiceInvite({ invite_id }) };
  },
  async push_tokens() {
    const { owner, others } = await scene();
    const token = 'abcdef0123456789';
    await owner.api.registerPushToken({ platform: 'ios', token });
    const key = await keyOf('push_tokens', 'account_key', others.accounts ?? 0);
    return { keyFor: () => key, others, remove: () => owner.api.unregisterPushToken({ token }) };
  },
  async scheduled() {
    const { owner, chat_id, others } = await scene();
    const send_at = new Date(clock.now() + 86_400_000).toISOString();
    const { id: scheduled_id } = await owner.api.scheduleMessage({ chat_id, text: 'later', send_at });
    const key = await keyOf('scheduled', 'id', idBytes(scheduled_id));
    return { keyFor: () => key, others, remove: () => owner.api.cancelScheduledMessage({ chat_id, scheduled_id }) };
  },
  async files() {
    const { others } = await scene();
    const person = await world.member();
    const { id } = await upload(person, 'never sent', 'unsent.txt');
    const key = await keyOf('files', 'id', idBytes(id));
    return {
      keyFor: () => key,
      others,
      remove: () => person.api.deleteAccount({ password }),
    };
  },
  async tool_servers() {
    const { owner, others } = await scene();
    const username = `${owner.username}:provider_a`;
    const server = { name: 'bank', identity: 'none', auth: 'none', approval: 'writes' } as const;
    await owner.api.setAgentTools({ username, servers: [{ ...server, url: 'https://tools.example/mcp' }] });
    const key = await keyOf('tool_servers', 'agent_key', await keyOf('accounts', 'username', username));
    return { keyFor: () => key, others, remove: () => owner.api.setAgentTools({ username, servers: [] }) };
  },
  async agent_sources() {
    const { owner, others } = await scene();
    const username = `${owner.username}:provider_a`;
    const { id } = await owner.api.addAgentSource({ username, url: 'https://pages.example/' });
    const key = await keyOf('agent_sources', 'id', idBytes(id));
    return { keyFor: () => key, others, remove: () => owner.api.removeAgentSource({ source_id: id }) };
  },
  async user_groups() {
    const { owner, others } = await scene();
    const name = `group_${owner.username}`;
    await withRole(world, owner, 'admin');
    await owner.api.createUserGroup({ name, title: 'People', usernames: [owner.username] });
    const key = await keyOf('user_groups', 'name', name);
    return { keyFor: () => key, others, remove: () => owner.api.deleteUserGroup({ name }) };
  },
  polls: deletedMessage,
  messages: deletedMessage,
};

const targets = [...Map.groupBy(declared, ({ to }) => to.table)];

test.each(targets)(
  'ADMIN-12, DEL-2, PEOPLE-9: what is declared to be deleted with a row of %s is deleted with it',
  async (target, columns) => {
    const { keyFor, others, remove } = await (doomed[target] ?? expect.fail(`nothing deletes a row of ${target}`))();
    // An operation has made some of the rows.
    for (const column of columns)
      if (!(await isThere(column, keyFor(column)))) await insert(column, keyFor(column), others);
    const left = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const column of columns)
        if (await isThere(column, keyFor(column))) found.push(`${column.table}.${column.column}`);
      return found;
    };
    expect(await left()).toEqual(columns.map(({ table, column }) => `${table}.${column}`));
    await remove();
    expect(await left()).toEqual([]);
  },
);
