import type { SqliteConnection } from '../../store/engines/sqlite.ts';
import { statement } from '../../store/sql.ts';

/**
 * What makes the write of a row safe while other units run: an exclusive lock on its conversation, its account or its
 * account's household; a named lock; or `itself`, because the statement is correct without a lock.
 */
type Keeper = 'chat' | 'account' | 'household' | 'username' | 'itself' | { named: string; isShared?: true };

/**
 * A kind of change of a table's rows: SQL for its conversation and account, and the locks that make it safe (keepers).
 */
interface Change {
  on: 'INSERT' | 'UPDATE' | 'DELETE';
  when?: string;
  chat?: string;
  account?: string;
  name?: string;
  keepers: readonly Keeper[];
}

/**
 * A row that a unit wrote. Rows that the same unit inserted are left out: no other unit sees them before the commit.
 */
interface WrittenRow {
  change: string;
  chat_key: number | null;
  account_key: number | null;
  name: string | null;
}

type Columns = Pick<Change, 'chat' | 'account' | 'name' | 'when'>;
const change =
  (on: Change['on']) =>
  (columns: Columns, ...keepers: Keeper[]): Change => ({ on, ...columns, keepers });
const inserts = change('INSERT');
const updates = change('UPDATE');
const deletes = change('DELETE');
const writes = (columns: Columns, ...keepers: Keeper[]): readonly Change[] =>
  [inserts, updates, deletes].map((made) => made(columns, ...keepers));

// `row` stands for the row after the change, or before its deletion.
const inChat = { chat: 'row.chat_key' };
const ofAccount = { account: 'row.account_key' };
const ofAgent = { account: 'row.agent_key' };
const ofOwner = { account: '(SELECT a.parent_key FROM main.accounts a WHERE a.key = row.agent_key)' };
const ofMessage = { chat: '(SELECT m.chat_key FROM main.messages m WHERE m.key = row.message_key)' };
const ofTurn = { chat: '(SELECT t.chat_key FROM main.turns t WHERE t.key = row.turn_key)' };
const ofSession = { account: '(SELECT s.account_key FROM main.sessions s WHERE s.id = row.session_id)' };
const pushMarks = { named: 'tokens' };
const log = { named: 'log' };

/**
 * The keepers of every table. Rows without a keeper are written by units that lock everything, or with a new account.
 */
const tables: Readonly<Record<string, readonly Change[]>> = {
  accounts: [
    inserts({ account: 'row.parent_key', name: 'row.username' }, 'username', 'account'),
    updates({}),
    deletes({}),
  ],
  recovery_codes: writes(ofAccount, 'account'),
  second_factors: writes(ofAccount, 'account'),
  // The use of a token is one statement.
  access_tokens: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'account')],
  agent_config: writes(ofAgent),
  agent_overrides: writes(ofAgent),
  agent_secrets: writes(ofAgent),
  // Rows are only added.
  audit: [inserts({}, 'itself')],
  avatars: writes(ofAccount),
  backend_users: writes(ofAccount),
  backends: [
    inserts({}),
    // One statement compares the address and time of the keys that it replaces.
    updates({ when: 'OLD.jwks_fetched_at IS NOT NEW.jwks_fetched_at' }, 'itself'),
    updates({ when: 'OLD.jwks_fetched_at IS NEW.jwks_fetched_at' }),
    deletes({}),
  ],
  deleted_backend_users: writes({}),
  blocks: writes(ofAccount),
  bots: writes(ofAccount, 'account'),
  channels: writes(inChat, 'chat'),
  chats: [
    inserts({ chat: 'row.key' }, 'chat'),
    // may_push marks conversations that need pushes; set when a token is registered or an account with a token joins.
    updates({ chat: 'row.key', when: 'OLD.may_push <> NEW.may_push' }, 'chat', { ...pushMarks, isShared: true }),
    updates({ chat: 'row.key', when: 'OLD.may_push = NEW.may_push' }, 'chat'),
    deletes({ chat: 'row.key' }),
  ],
  chats_to_empty: writes({}),
  // Deleted with their channel, and when their account leaves.
  channel_mutes: [inserts(ofAccount, 'account'), updates(ofAccount, 'account'), deletes(inChat, 'chat')],
  component_actions: writes(ofAccount, 'account'),
  device_prefs: writes(ofSession, 'account'),
  device_tokens: writes(ofAccount, 'account'),
  drafts: writes(ofAccount, 'account'),
  events: writes({}, log),
  events_by_scope: writes({}, log),
  events_trimmed: writes({}, log),
  // A single statement counts the uses of a file and reads its row.
  files: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'itself')],
  // Statements compare the claim; the row of the file orders them (FILE-28).
  file_texts: writes({}, 'itself'),
  file_text_changes: [inserts({}, 'itself'), updates({}), deletes({}, { named: 'search changes' })],
  // Statements compare the offset, and that there is no file yet.
  open_uploads: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'itself')],
  // Only the owner adds and changes them; a claim is one statement that compares the one before.
  agent_sources: [
    inserts(ofOwner, 'account'),
    updates({ ...ofOwner, when: 'OLD.claimed_until = NEW.claimed_until' }, 'account'),
    updates({ when: 'OLD.claimed_until <> NEW.claimed_until' }, 'itself'),
    deletes(ofOwner, 'account'),
  ],
  agent_source_texts: writes(
    {
      account:
        '(SELECT a.parent_key FROM main.agent_sources s JOIN main.accounts a ON a.key = s.agent_key WHERE s.key = row.source_key)',
    },
    'account',
  ),
  // No two rows name the same bytes.
  files_to_remove: writes({}, 'itself'),
  folders: writes(ofAccount, 'account'),
  hidden: writes(ofAccount, 'account'),
  // Each statement is correct alone: it adds an item once, or deletes items that nothing else refers to.
  inbox: writes({ ...inChat, ...ofAccount }, 'itself'),
  invites: writes(inChat, 'chat'),
  emoji: writes({}, { named: 'emoji' }),
  mentions: writes(inChat, 'chat'),
  // One statement replaces a row; a row that is lost is read again.
  link_previews: writes({}, 'itself'),
  message_files: writes(ofMessage, 'chat'),
  messages: writes(inChat, 'chat'),
  meta: writes({}, log),
  notification_prefs: writes(ofAccount, 'account'),
  override_secrets: writes(ofAgent),
  participants: [inserts(inChat, 'chat'), updates({ ...inChat, ...ofAccount }, 'chat', 'account'), deletes(inChat)],
  pins: writes(inChat, 'chat'),
  decisions: writes(inChat, 'chat'),
  decision_people: writes(ofMessage, 'chat'),
  polls: writes(ofMessage, 'chat'),
  poll_votes: writes(ofMessage, 'chat'),
  privacy: writes(ofAccount, 'account'),
  // Added by units that lock everything, and deleted when their account joins again.
  removed_members: [inserts(inChat), updates(inChat), deletes(inChat, 'chat')],
  statuses: writes(ofAccount, 'account'),
  // Only the node that sends the pushes deletes the rows.
  push_queue: [inserts(inChat, 'chat'), updates(inChat, { named: 'left pushes' }), deletes(inChat, 'itself')],
  // Statements find a row by its push address, and count badges themselves.
  push_tokens: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'itself')],
  reactions: writes(ofMessage, 'chat'),
  reply_versions: writes(ofMessage, 'chat'),
  reports: writes(ofMessage, 'chat'),
  reporters: writes(
    {
      chat: '(SELECT m.chat_key FROM main.reports r JOIN main.messages m ON m.key = r.message_key WHERE r.key = row.report_key)',
    },
    'chat',
  ),
  scheduled: writes(ofAccount, 'account'),
  scheduled_files: [
    inserts({ account: '(SELECT s.account_key FROM main.scheduled s WHERE s.key = row.scheduled_key)' }, 'account'),
    // Deleted with their row of `scheduled`, whose lock the unit holds.
    deletes({}, 'itself'),
  ],
  search_changes: [inserts({}, 'itself'), updates({}), deletes({}, { named: 'search changes' })],
  pending_joins: writes({}),
  password_links: writes({}),
  service_invites: writes({}),
  service_invite_chats: writes({}),
  service_settings: writes({}),
  service_keys: writes({}),
  sessions: writes(ofAccount, 'account', { named: 'sessions' }),
  shown_pushes: [
    inserts(ofAccount, 'account'),
    updates({ ...inChat, ...ofAccount }, 'chat', 'account'),
    // Deleted together with its token.
    deletes(ofAccount, 'itself'),
  ],
  // Only growth is compared with a limit.
  stored_bytes: [
    inserts({ account: 'row.owner_key' }, 'household'),
    updates({ account: 'row.owner_key', when: 'OLD.bytes < NEW.bytes' }, 'household'),
    updates({ account: 'row.owner_key', when: 'OLD.bytes >= NEW.bytes' }, 'itself'),
    deletes({}),
  ],
  streams: writes({ ...inChat, name: "'stream ' || row.message_key" }, 'chat', 'username'),
  summaries: writes(inChat, 'chat'),
  threads: writes(inChat, 'chat'),
  // Deleted with their channel or thread, and when their account leaves.
  timeline_drafts: [inserts(ofAccount, 'account'), updates(ofAccount, 'account'), deletes(inChat, 'chat')],
  transcriptions: writes(
    {
      chat: '(SELECT m.chat_key FROM main.messages m WHERE m.id = row.message_id)',
      account: 'row.human_key',
    },
    'chat',
    'account',
  ),
  tool_calls: writes(inChat, 'chat'),
  // One statement replaces a row.
  tool_grants: writes({}, 'itself'),
  tool_turns: writes(ofTurn, 'chat'),
  turn_steps: writes(ofTurn, 'chat'),
  turns: writes(inChat, 'chat'),
  // Booked by units that lock the reply's agent.
  reply_prices: writes(
    { account: '(SELECT m.sender_key FROM main.messages m WHERE m.key = row.message_key)' },
    'account',
  ),
  budget_warnings: writes(ofAgent, 'account'),
  usage: writes(ofAgent, 'account'),
  usage_days: writes(ofAgent, 'account'),
  usage_group_months: writes(ofAgent, 'account'),
  usage_prices: writes(ofAgent, 'account'),
  usage_months: writes(ofAgent, 'account'),
  // Statements compare the cursor that they change with the one that was read.
  // Written by units that lock everything.
  tool_servers: writes({}),
  tool_definitions: writes({}),
  tool_credentials: writes({}),
  tool_logins: writes({}),
  // Written by units that lock everything, or by statements that are right on their own.
  oidc_identities: writes({}),
  // By the hash of a secret that nobody else has.
  oidc_logins: writes({}, 'itself'),
  oidc_codes: [inserts(ofAccount), updates(ofAccount), deletes(ofAccount, 'account')],
  // Statements that claim a session compare when it is asked about next.
  oidc_sessions: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'account')],
  oidc_logouts: writes({}),
  // Notes are counted when one is added; those of agents and groups are deleted by units that lock everything.
  notes: [
    inserts({ ...inChat, account: 'row.human_key' }, 'chat', 'account'),
    updates({}, 'itself'),
    deletes({}, 'itself'),
  ],
  // Written by units that lock everything.
  user_groups: writes({}),
  user_group_people: writes({}),
  webhook_subscriptions: [inserts(ofAccount, 'account'), updates(ofAccount, 'itself'), deletes(ofAccount, 'account')],
  webhooks: [inserts(inChat, 'chat'), updates({}), deletes({})],
};

const changes = new Map<string, Change>();
for (const [table, made] of Object.entries(tables))
  for (const one of made) changes.set(`${one.on} ${table}${one.when ? ` when ${one.when}` : ''}`, one);

export const keepersOf = (change: string): readonly Keeper[] => changes.get(change)?.keepers ?? [];

const tablesThere = statement<{ name: string }>(
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
);

/** Installs triggers that record every row that the connection writes in the temporary table `written`. */
export function noteWrittenRows(connection: SqliteConnection): void {
  for (const { name } of connection.all(tablesThere))
    if (!tables[name]) throw new Error(`test/written-rows.ts does not say what keeps the rows of ${name}`);
  connection.control('CREATE TEMP TABLE written (change TEXT, chat_key INTEGER, account_key INTEGER, name TEXT)');
  let count = 0;
  for (const [name, { on, when, chat, account, name: named }] of changes) {
    const table = name.split(' ')[1];
    const row = on === 'DELETE' ? 'OLD' : 'NEW';
    const values = [chat, account, named].map((text) => text?.replaceAll('row.', `${row}.`) ?? 'NULL');
    connection.control(
      `CREATE TEMP TRIGGER note_${(count += 1)} AFTER ${on} ON main.${table} ${when ? `WHEN ${when}` : ''}
       BEGIN INSERT INTO written VALUES ('${name}', ${values.join(', ')}); END`,
    );
  }
}

export const forgetWritten = statement<never>('DELETE FROM temp.written');
/** The rows that a unit wrote, with the ids and usernames that its locks consist of. */
export const writtenRows = statement<WrittenRow & { chat_id: Uint8Array | null; username: string | null }>(
  `SELECT w.change, w.chat_key, w.account_key, w.name, c.id AS chat_id, a.username FROM temp.written w
   LEFT JOIN chats c ON c.key = w.chat_key LEFT JOIN accounts a ON a.key = w.account_key`,
);
