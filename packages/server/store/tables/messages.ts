import { account, channel, chat, message, type Table } from './table.ts';

const index = 'an index of messages, which follows them';

/** Messages, what belongs to one of them, and the queues that they wait in. */
export const messages = {
  messages: {
    key: ['key'],
    references: {
      chat_key: chat('messages without their conversation'),
      sender_key: account('messages without their author'),
      channel_key: channel('messages without their channel'),
      thread_key: message('messages without the root of their thread', { none: 0 }),
    },
    unchecked: { client_msg_id: 'is made up by the client' },
    exported: ['messages'],
  },
  reports: {
    key: ['key'],
    references: {
      message_key: message('reports without their message'),
      resolver_key: account('reports without their moderator', { none: null }),
    },
    exported: 'is what moderators see',
  },
  reporters: {
    key: ['report_key', 'account_key'],
    references: {
      report_key: { what: 'reporters without their report', table: 'reports', onDelete: 'deleted' },
      // The row stays, without the person's words (`forgetReasonsOf`).
      account_key: account('reporters without their account'),
    },
    exported: 'is what a person told the moderators, who alone see it',
  },
  threads: {
    key: ['root_key'],
    references: {
      root_key: message('threads without their root'),
      // 0 once all replies are deleted.
      last_key: message('threads without their last message', { none: 0 }),
      chat_key: chat('threads without their conversation'),
      channel_key: channel('threads without their channel'),
    },
    exported: 'is derived from messages',
  },
  reactions: {
    key: ['message_key', 'emoji', 'account_key'],
    references: {
      message_key: message('reactions without their message', { onDelete: 'deleted' }),
      account_key: account('reactions without their account'),
    },
    exported: ['reactions'],
  },
  polls: {
    key: ['message_key'],
    references: { message_key: message('polls without their message', { onDelete: 'deleted' }) },
    exported: ['messages'],
  },
  poll_votes: {
    key: ['message_key', 'account_key'],
    references: {
      message_key: { what: 'votes without their poll', table: 'polls', key: 'message_key', onDelete: 'deleted' },
      account_key: account('votes without their account'),
    },
    exported: ['votes'],
  },
  decisions: {
    key: ['message_key'],
    references: {
      message_key: message('decisions without their message'),
      chat_key: chat('decisions without their conversation'),
      asker_key: account('decisions without the account that asked'),
      turn_key: { what: 'decisions without their turn', table: 'turns', none: null },
    },
    unchecked: { call_key: 'a call of a tool, which may be gone' },
    exported: ['messages', 'decisions'],
  },
  decision_people: {
    key: ['message_key', 'account_key'],
    references: {
      message_key: message('deciders without their message'),
      account_key: account('deciders without their account'),
    },
    exported: 'is in the decisions of messages',
  },
  hidden: {
    key: ['account_key', 'message_key'],
    references: {
      message_key: message('hidden messages that do not exist'),
      account_key: account('hidden messages without their account', { onDelete: 'belonging' }),
    },
    exported: ['hidden_messages'],
  },
  pins: {
    key: ['chat_key', 'message_key'],
    references: {
      message_key: message('pins without their message', { onDelete: 'deleted' }),
      chat_key: chat('pins without their conversation'),
    },
    exported: 'belongs to the conversation',
  },
  reply_versions: {
    key: ['message_key'],
    references: {
      message_key: message('versions without their message', { onDelete: 'deleted' }),
      replaced_key: message('versions without the one before', { none: null }),
    },
    exported: 'belongs to replies of agents',
  },
  component_actions: {
    key: ['account_key', 'message_key', 'action'],
    references: {
      message_key: message('presses without their message'),
      account_key: account('presses without their account', { onDelete: 'belonging' }),
    },
    exported: 'lives until the next press',
  },
  link_previews: {
    key: ['place'],
    exported: 'what pages of others say',
  },

  push_queue: {
    key: ['message_key'],
    references: {
      message_key: message('waiting pushes without their message'),
      chat_key: chat('waiting pushes without their conversation'),
      sender_key: account('waiting pushes without their sender'),
    },
    unchecked: { node_key: 'a node of several, which come and go; 0 where there is only one' },
    exported: 'lives until the pushes are sent',
    emptied: true,
  },
  shown_pushes: {
    key: ['token_key', 'chat_key'],
    references: {
      token_key: { what: 'shown pushes without their token', table: 'push_tokens', onDelete: 'deleted' },
      chat_key: chat('shown pushes without their conversation'),
      account_key: account('shown pushes without their account', { onDelete: 'deleted' }),
      message_key: message('shown pushes without their message'),
    },
    exported: 'what devices show at the moment',
  },
  search_changes: {
    key: ['key'],
    references: { message_key: message('changes for the search without their message') },
    exported: index,
  },
  message_words: {
    key: ['message_key'],
    unchecked: { message_key: index },
    exported: index,
    engine: 'postgres',
  },
  search_extent: {
    key: ['id'],
    unchecked: { from_key: 'an end of the index', through_key: 'an end of the index' },
    exported: index,
    engine: 'postgres',
  },
} as const satisfies Readonly<Record<string, Table>>;
