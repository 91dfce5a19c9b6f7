import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { type Statement, statement } from './sql.ts';
import { countedWrongly } from './stored-bytes.ts';

type Count = Statement<{ count: number }, []>;
const countOf = (sql: string): Count => statement<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`);

/** The row that a column refers to. */
interface Reference {
  /** How `check` describes rows whose reference is dangling. */
  what: string;
  table: string;
  /** The column of the other table; by default `key`. */
  key?: string;
  /** The column's value for no reference. */
  none?: 0 | null;
}

const to = (table: string, what: string, more: Pick<Reference, 'key' | 'none'> = {}): Reference => ({
  what,
  table,
  ...more,
});
const session = (what: string) => to('sessions', what, { key: 'id', none: null });

/** Every column that refers to a row of another table. A test compares the list with the schema. */
export const references: Readonly<Record<string, Reference>> = {
  'accounts.parent_key': to('accounts', 'accounts without their owner', { none: null }),
  'sessions.account_key': to('accounts', 'sessions without their account'),
  'sessions.backend_key': to('backends', 'limited sessions without their backend', { none: null }),
  'backends.owner_key': to('accounts', 'backends without their owner'),
  'backend_users.backend_key': to('backends', 'users of a backend that does not exist'),
  'backend_users.account_key': to('accounts', 'users of a backend without their account'),
  'deleted_backend_users.backend_key': to('backends', 'deleted users of a backend that does not exist'),
  'device_tokens.account_key': to('accounts', 'device tokens without their account'),
  'bots.account_key': to('accounts', 'bots without their account'),
  'agent_secrets.agent_key': to('accounts', 'secrets without their agent'),
  'agent_secrets.account_key': to('accounts', 'secrets without their account'),
  'override_secrets.agent_key': to('accounts', 'own secrets without their agent'),
  'override_secrets.account_key': to('accounts', 'own secrets without their account'),
  'agent_config.agent_key': to('accounts', 'settings without their agent'),
  'agent_overrides.agent_key': to('accounts', 'own settings without their agent'),
  'agent_overrides.account_key': to('accounts', 'own settings without their account'),
  'usage.owner_key': to('accounts', 'usage without the owner of its agent'),
  'usage.agent_key': to('accounts', 'usage without its agent'),
  'usage.human_key': to('accounts', 'usage without its human'),
  'usage_months.agent_key': to('accounts', 'usage of a month without its agent'),
  'usage_group_months.agent_key': to('accounts', 'usage in a group without its agent'),
  'usage_group_months.chat_key': to('chats', 'usage in a group that does not exist'),
  'usage_prices.owner_key': to('accounts', 'prices without the owner of their agent'),
  'usage_prices.agent_key': to('accounts', 'prices without their agent'),
  'usage_prices.human_key': to('accounts', 'prices without their human'),
  'budget_warnings.agent_key': to('accounts', 'warnings without their agent'),
  'budget_warnings.human_key': to('accounts', 'warnings without their human', { none: 0 }),
  'budget_warnings.chat_key': to('chats', 'warnings without their group', { none: 0 }),
  'reply_prices.account_key': to('accounts', 'prices of replies without their account'),
  'reply_prices.message_key': to('messages', 'prices without their reply'),
  'notification_prefs.account_key': to('accounts', 'preferences without their account'),
  'statuses.account_key': to('accounts', 'statuses without their account'),
  'privacy.account_key': to('accounts', 'privacy settings without their account'),
  'chats_to_empty.chat_key': to('chats', 'conversations to empty that do not exist'),
  'blocks.account_key': to('accounts', 'blocks without their account'),
  'blocks.blocked_key': to('accounts', 'blocks without the blocked account'),
  'device_prefs.session_id': session('preferences without their session'),
  'push_tokens.account_key': to('accounts', 'push tokens without their account'),
  'push_tokens.session_id': session('push tokens without their session'),

  'invites.chat_key': to('chats', 'invites without their conversation'),
  'invites.creator_key': to('accounts', 'invites without their creator'),
  'webhooks.account_key': to('accounts', 'webhooks without their account'),
  'webhooks.chat_key': to('chats', 'webhooks without their conversation'),
  'webhooks.channel_key': to('channels', 'webhooks without their channel', { none: 0 }),
  'webhook_subscriptions.account_key': to('accounts', 'webhook subscriptions without their account'),
  'webhook_subscriptions.chat_key': to('chats', 'webhook subscriptions without their conversation', { none: 0 }),
  'participants.account_key': to('accounts', 'participants without their account'),
  'participants.chat_key': to('chats', 'participants without their conversation'),
  'participants.receipt_key': to('messages', 'receipts without their message', { none: 0 }),
  'participants.read_key': to('messages', 'read markers without their message', { none: 0 }),
  'participants.archived_key': to('messages', 'archived conversations without their newest message', { none: 0 }),
  'participants.cleared_key': to('messages', 'cleared conversations without their newest message', { none: 0 }),
  'participants.folder_id': to('folders', 'conversations in folders that do not exist', { key: 'id', none: null }),
  'folders.account_key': to('accounts', 'folders without their account'),
  'channels.chat_key': to('chats', 'channels without their conversation'),
  'messages.chat_key': to('chats', 'messages without their conversation'),
  'messages.sender_key': to('accounts', 'messages without their author'),
  'messages.channel_key': to('channels', 'messages without their channel', { none: 0 }),
  'messages.thread_key': to('messages', 'messages without the root of their thread', { none: 0 }),
  'threads.root_key': to('messages', 'threads without their root'),
  'threads.last_key': to('messages', 'threads without their last message'),
  'threads.chat_key': to('chats', 'threads without their conversation'),
  'threads.channel_key': to('channels', 'threads without their channel', { none: 0 }),
  'reactions.message_key': to('messages', 'reactions without their message'),
  'reactions.account_key': to('accounts', 'reactions without their account'),
  'polls.message_key': to('messages', 'polls without their message'),
  'poll_votes.message_key': to('polls', 'votes without their poll', { key: 'message_key' }),
  'poll_votes.account_key': to('accounts', 'votes without their account'),
  'hidden.message_key': to('messages', 'hidden messages that do not exist'),
  'hidden.account_key': to('accounts', 'hidden messages without their account'),
  'inbox.account_key': to('accounts', 'inbox items without their account'),
  'inbox.message_key': to('messages', 'inbox items without their message'),
  'inbox.chat_key': to('chats', 'inbox items without their conversation'),
  'inbox.thread_key': to('messages', 'inbox items without the root of their thread', { none: 0 }),
  'mentions.account_key': to('accounts', 'mentions without their account'),
  'mentions.chat_key': to('chats', 'mentions without their conversation'),
  'mentions.message_key': to('messages', 'mentions without their message'),
  'pins.message_key': to('messages', 'pins without their message'),
  'pins.chat_key': to('chats', 'pins without their conversation'),
  'drafts.chat_key': to('chats', 'drafts without their conversation'),
  'drafts.account_key': to('accounts', 'drafts without their account'),
  'timeline_drafts.chat_key': to('chats', 'drafts of timelines without their conversation'),
  'timeline_drafts.account_key': to('accounts', 'drafts of timelines without their account'),
  'timeline_drafts.channel_key': to('channels', 'drafts without their channel', { none: 0 }),
  'timeline_drafts.thread_key': to('messages', 'drafts without the root of their thread', { none: 0 }),
  'scheduled.account_key': to('accounts', 'scheduled messages without their account'),
  'scheduled.chat_key': to('chats', 'scheduled messages without their conversation'),
  'scheduled.message_key': to('messages', 'reminders without their message', { none: null }),
  'scheduled_files.scheduled_key': to('scheduled', 'files without their scheduled message'),
  'scheduled_files.file_key': to('files', 'scheduled messages without their file'),
  'component_actions.message_key': to('messages', 'presses without their message'),
  'component_actions.account_key': to('accounts', 'presses without their account'),
  'push_queue.message_key': to('messages', 'waiting pushes without their message'),
  'push_queue.chat_key': to('chats', 'waiting pushes without their conversation'),
  'search_changes.message_key': to('messages', 'changes for the search without their message'),
  'push_queue.sender_key': to('accounts', 'waiting pushes without their sender'),
  'shown_pushes.token_key': to('push_tokens', 'shown pushes without their token'),
  'shown_pushes.chat_key': to('chats', 'shown pushes without their conversation'),
  'shown_pushes.account_key': to('accounts', 'shown pushes without their account'),
  'shown_pushes.message_key': to('messages', 'shown pushes without their message'),

  'files.account_key': to('accounts', 'files without their account'),
  'message_files.message_key': to('messages', 'attached files without their message'),
  'message_files.file_key': to('files', 'messages without their file'),
  'file_texts.file_key': to('files', 'texts without their file'),
  'file_texts.owner_key': to('accounts', 'texts of files without their owner'),
  'file_text_changes.message_key': to('messages', 'read files without their message'),
  'message_files.channel_key': to('channels', 'attached files without their channel', { none: 0 }),
  'stored_bytes.owner_key': to('accounts', 'stored bytes without their owner'),
  'emoji.account_key': to('accounts', 'custom emoji without the person who made them'),
  'avatars.account_key': to('accounts', 'avatars without their account'),

  'reply_versions.message_key': to('messages', 'versions without their message'),
  'reply_versions.replaced_key': to('messages', 'versions without the one before', { none: null }),

  'transcriptions.human_key': to('accounts', 'transcriptions without their asker'),
  'transcriptions.agent_key': to('accounts', 'transcriptions without their agent'),
  'turns.message_key': to('messages', 'turns without their message'),
  'turns.agent_key': to('accounts', 'turns without their agent'),
  'turns.chat_key': to('chats', 'turns without their conversation'),
  'turns.channel_key': to('channels', 'turns without their channel', { none: 0 }),
  'turns.thread_key': to('messages', 'turns without the root of their thread', { none: 0 }),
  'turns.human_key': to('accounts', 'turns without their human'),
  'turns.owner_key': to('accounts', 'turns without the owner of their agent', { none: 0 }),
  'turns.root_message_key': to('messages', 'turns without the message that began them'),
  'turns.reply_key': to('messages', 'turns without their reply', { none: null }),
  'summaries.chat_key': to('chats', 'summaries without their conversation'),
  'summaries.channel_key': to('channels', 'summaries without their channel', { none: 0 }),
  'summaries.thread_key': to('messages', 'summaries without the root of their thread', { none: 0 }),
  'summaries.agent_key': to('accounts', 'summaries without their agent'),
  'summaries.asker_key': to('accounts', 'summaries without their asker', { none: 0 }),
  'summaries.from_key': to('messages', 'summaries without their first message', { none: 0 }),
  'summaries.through_key': to('messages', 'summaries without their last message', { none: 0 }),
  'summaries.reach_key': to('messages', 'summaries without the message that they are made up to'),
  'streams.message_key': to('messages', 'streams without their message'),
  'streams.agent_key': to('accounts', 'streams without their agent'),
  'streams.chat_key': to('chats', 'streams without their conversation'),
  'streams.turn_key': to('turns', 'streams without their turn', { none: null }),
};

function dangling(column: string, { table, key = 'key', none }: Reference): Count {
  const [from, name] = column.split('.');
  const names = none === undefined ? '' : `t.${name} ${none === null ? 'IS NOT NULL' : `<> ${none}`} AND `;
  return countOf(`${from} t WHERE ${names}NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.${key} = t.${name})`);
}

/** Faults that must never occur: dangling references, and stored counts that differ from the rows. */
export const faults: Readonly<Record<string, Count>> = {
  ...Object.fromEntries(
    Object.entries(references).map(([column, reference]) => [reference.what, dangling(column, reference)]),
  ),
  'open replies without their stream': countOf(
    `messages m WHERE status = 'streaming' AND NOT EXISTS (SELECT 1 FROM streams s WHERE s.message_key = m.key)`,
  ),
  'conversations that count their participants wrongly': countOf(
    `chats c WHERE participant_count <> (SELECT count(*) FROM participants p WHERE p.chat_key = c.key)`,
  ),
  'conversations that count their agents wrongly': countOf(
    `chats c WHERE agent_count <> (SELECT count(*) FROM participants p JOIN accounts a ON a.key = p.account_key
       WHERE p.chat_key = c.key AND a.kind = 'agent')`,
  ),
  'files that count their messages wrongly': countOf(
    `files f WHERE uses <> (SELECT count(*) FROM message_files u WHERE u.file_key = f.key)
       + (SELECT count(*) FROM scheduled_files l WHERE l.file_key = f.key)`,
  ),
  'owners whose stored bytes are counted wrongly': countOf(countedWrongly),
  'index entries without their event': countOf(
    'events_by_scope i WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.seq = i.seq)',
  ),
};

export const counts = {
  // Without the account of the service itself.
  accounts: countOf(`accounts WHERE kind = 'human' AND deleted_at IS NULL AND username <> '${RESERVED_WORD}'`),
  'of these disabled': countOf('accounts WHERE disabled_at IS NOT NULL'),
  agents: countOf("accounts WHERE kind = 'agent' AND deleted_at IS NULL"),
  sessions: countOf('sessions'),
  conversations: countOf('chats'),
  messages: countOf('messages WHERE deleted_at IS NULL'),
  'open replies': countOf('streams'),
  files: countOf('files'),
  events: countOf('events'),
} as const;
