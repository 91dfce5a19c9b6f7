import { account, channel, chat, message, type Table } from './table.ts';

/** Conversations, who takes part, and what an account keeps about them. Rows of conversations are never deleted. */
export const conversations = {
  chats: {
    key: ['key'],
    unchecked: {
      title_question_key: 'only compared with the message that is deleted or edited',
      title_reply_key: 'only compared with the message that is deleted or edited',
    },
    exported: ['conversations'],
  },
  chats_to_empty: {
    key: ['chat_key'],
    references: { chat_key: chat('conversations to empty that do not exist') },
    exported: 'is about conversations that nobody reads',
  },
  invites: {
    key: ['key'],
    references: {
      chat_key: chat('invites without their conversation'),
      creator_key: account('invites without their creator'),
    },
    exported: 'belongs to the group',
  },
  participants: {
    key: ['chat_key', 'account_key'],
    references: {
      account_key: account('participants without their account'),
      chat_key: chat('participants without their conversation'),
      receipt_key: message('receipts without their message', { none: 0 }),
      read_key: message('read markers without their message', { none: 0 }),
      archived_key: message('archived conversations without their newest message', { none: 0 }),
      cleared_key: message('cleared conversations without their newest message', { none: 0 }),
      folder_id: {
        what: 'conversations in folders that do not exist',
        table: 'folders',
        key: 'id',
        none: null,
      },
    },
    exported: ['conversations'],
  },
  removed_members: {
    key: ['chat_key', 'account_key'],
    references: {
      chat_key: chat('removals without their conversation'),
      account_key: account('removals without their account', { onDelete: 'belonging' }),
    },
    exported: 'belongs to the group',
  },
  folders: {
    key: ['account_key', 'id'],
    references: { account_key: account('folders without their account', { onDelete: 'belonging' }) },
    exported: ['folders', 'conversations'],
  },
  channels: {
    key: ['key'],
    references: { chat_key: chat('channels without their conversation') },
    exported: 'belongs to the group',
  },
  channel_mutes: {
    key: ['account_key', 'channel_key'],
    references: {
      account_key: account('muted channels without their account', { onDelete: 'belonging' }),
      channel_key: channel('mutes without their channel', { onDelete: 'deleted' }),
      chat_key: chat('muted channels without their conversation'),
    },
    exported: ['conversations'],
  },
  inbox: {
    key: ['account_key', 'message_key'],
    references: {
      account_key: account('inbox items without their account', { onDelete: 'belonging' }),
      message_key: message('inbox items without their message', { onDelete: 'deleted' }),
      chat_key: chat('inbox items without their conversation'),
      thread_key: message('inbox items without the root of their thread', { none: 0 }),
    },
    exported: ['inbox'],
  },
  mentions: {
    key: ['account_key', 'chat_key', 'message_key'],
    references: {
      account_key: account('mentions without their account', { onDelete: 'belonging' }),
      chat_key: chat('mentions without their conversation'),
      message_key: message('mentions without their message', { onDelete: 'deleted' }),
    },
    exported: 'is derived from messages of others',
  },
  drafts: {
    key: ['account_key', 'chat_key'],
    references: {
      chat_key: chat('drafts without their conversation'),
      account_key: account('drafts without their account', { onDelete: 'belonging' }),
    },
    unchecked: { reply_to_id: 'is kept as it was typed, and looked for when the message is sent' },
    exported: ['drafts'],
  },
  timeline_drafts: {
    key: ['key'],
    references: {
      chat_key: chat('drafts of timelines without their conversation'),
      account_key: account('drafts of timelines without their account', { onDelete: 'belonging' }),
      channel_key: channel('drafts without their channel', { onDelete: 'deleted' }),
      thread_key: message('drafts without the root of their thread', { none: 0, onDelete: 'deleted' }),
    },
    unchecked: { reply_to_id: 'is kept as it was typed, and looked for when the message is sent' },
    exported: ['drafts'],
  },
  scheduled: {
    key: ['key'],
    references: {
      account_key: account('scheduled messages without their account', { onDelete: 'deleted' }),
      chat_key: chat('scheduled messages without their conversation'),
      message_key: message('reminders without their message', { none: null }),
    },
    unchecked: { client_msg_id: 'is made up by the client' },
    exported: ['scheduled_messages', 'schedules', 'reminders'],
  },
  scheduled_files: {
    key: ['scheduled_key', 'file_key'],
    references: {
      scheduled_key: { what: 'files without their scheduled message', table: 'scheduled', onDelete: 'deleted' },
      file_key: { what: 'scheduled messages without their file', table: 'files' },
    },
    exported: ['scheduled_messages'],
  },
} as const satisfies Readonly<Record<string, Table>>;
