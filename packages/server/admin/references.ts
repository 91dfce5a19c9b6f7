import { statement } from '../store/sql.ts';

const countOf = (sql: string) => statement<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`);
/** Rows of a table whose column names a row of another that is not there. */
const dangling = (table: string, column: string, other: string, key = 'key', where = 'true') =>
  countOf(`${table} t WHERE ${where} AND NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.${key} = t.${column})`);

/** What must never be: rows that point nowhere, and counts that are not those of the rows. */
export const faults = {
  'messages without their conversation': dangling('messages', 'chat_key', 'chats'),
  'messages without their author': dangling('messages', 'sender_key', 'accounts'),
  'messages without their channel': dangling('messages', 'channel_key', 'channels', 'key', 't.channel_key <> 0'),
  'messages without the root of their thread': dangling(
    'messages',
    'thread_key',
    'messages',
    'key',
    't.thread_key <> 0',
  ),
  'open replies without their stream': dangling('messages', 'key', 'streams', 'message_key', "t.status = 'streaming'"),
  'streams without their message': dangling('streams', 'message_key', 'messages'),
  'streams without their agent': dangling('streams', 'agent_key', 'accounts'),
  'streams without their turn': dangling('streams', 'turn_key', 'turns', 'key', 't.turn_key IS NOT NULL'),
  'turns without their message': dangling('turns', 'message_key', 'messages'),
  'turns without their agent': dangling('turns', 'agent_key', 'accounts'),
  'turns without their conversation': dangling('turns', 'chat_key', 'chats'),
  'turns without their reply': dangling('turns', 'reply_key', 'messages', 'key', 't.reply_key IS NOT NULL'),
  'participants without their account': dangling('participants', 'account_key', 'accounts'),
  'participants without their conversation': dangling('participants', 'chat_key', 'chats'),
  'conversations that count their participants wrongly': countOf(
    `chats c WHERE participant_count <> (SELECT count(*) FROM participants p WHERE p.chat_key = c.key)`,
  ),
  'conversations that count their agents wrongly': countOf(
    `chats c WHERE agent_count <> (SELECT count(*) FROM participants p JOIN accounts a ON a.key = p.account_key
       WHERE p.chat_key = c.key AND a.kind = 'agent')`,
  ),
  'channels without their conversation': dangling('channels', 'chat_key', 'chats'),
  'threads without their root': dangling('threads', 'root_key', 'messages'),
  'reactions without their message': dangling('reactions', 'message_key', 'messages'),
  'pins without their message': dangling('pins', 'message_key', 'messages'),
  'drafts without their conversation': dangling('drafts', 'chat_key', 'chats'),
  'accounts without their owner': dangling('accounts', 'parent_key', 'accounts', 'key', 't.parent_key IS NOT NULL'),
  'sessions without their account': dangling('sessions', 'account_key', 'accounts'),
  'bots without their account': dangling('bots', 'account_key', 'accounts'),
  'secrets without their agent': dangling('agent_secrets', 'agent_key', 'accounts'),
  'events in the index that the log has not': dangling('events_by_scope', 'seq', 'events', 'seq'),
} as const;

export const counts = {
  accounts: countOf("accounts WHERE kind = 'human'"),
  'of these disabled': countOf('accounts WHERE disabled_at IS NOT NULL'),
  agents: countOf("accounts WHERE kind = 'agent' AND deleted_at IS NULL"),
  sessions: countOf('sessions'),
  conversations: countOf('chats'),
  messages: countOf('messages WHERE deleted_at IS NULL'),
  'open replies': countOf('streams'),
  events: countOf('events'),
} as const;
