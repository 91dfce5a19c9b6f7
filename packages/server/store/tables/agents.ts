import { account, channel, chat, message, type Table } from './table.ts';

/** Agents with their settings, usage and turns, and webhooks. */
export const agents = {
  bots: {
    key: ['account_key'],
    references: { account_key: account('bots without their account', { onDelete: 'deleted' }) },
    exported: ['agents'],
  },
  agent_secrets: {
    key: ['agent_key', 'account_key', 'field'],
    references: {
      agent_key: account('secrets without their agent', { onDelete: 'deleted' }),
      account_key: account('secrets without their account', { onDelete: 'belonging' }),
    },
    exported: ['secrets'],
  },
  override_secrets: {
    key: ['agent_key', 'account_key', 'field'],
    references: {
      agent_key: account('own secrets without their agent', { onDelete: 'deleted' }),
      account_key: account('own secrets without their account', { onDelete: 'belonging' }),
    },
    exported: ['secrets'],
  },
  agent_config: {
    key: ['agent_key'],
    references: { agent_key: account('settings without their agent', { onDelete: 'deleted' }) },
    exported: ['agents'],
  },
  agent_overrides: {
    key: ['agent_key', 'account_key'],
    references: {
      agent_key: account('own settings without their agent', { onDelete: 'deleted' }),
      account_key: account('own settings without their account', { onDelete: 'belonging' }),
    },
    exported: ['agent_settings'],
  },

  tool_servers: {
    key: ['key'],
    references: { agent_key: account('tool servers without their agent', { onDelete: 'deleted' }) },
    exported: ['agents'],
  },
  tool_definitions: {
    key: ['server_key', 'name'],
    references: {
      server_key: { what: 'definitions of tools without their server', table: 'tool_servers', onDelete: 'deleted' },
      agent_key: account('definitions of tools without their agent', { onDelete: 'deleted' }),
    },
    exported: 'what the servers of others say of their tools',
  },
  // Of a group it outlives the person who wrote it, as messages do.
  notes: {
    key: ['key'],
    references: {
      agent_key: account('notes without their agent', { onDelete: 'deleted' }),
      human_key: account('notes without their person', { none: 0, onDelete: 'belonging' }),
      chat_key: chat('notes without their group', { none: 0 }),
      writer_key: account('notes without their writer'),
      editor_key: account('notes without their editor', { none: null }),
    },
    exported: ['notes'],
  },
  agent_sources: {
    key: ['key'],
    references: {
      agent_key: account('sources without their agent', { onDelete: 'deleted' }),
      file_key: { what: 'sources without their file', table: 'files', none: 0 },
    },
    exported: ['library'],
  },
  agent_source_texts: {
    key: ['source_key'],
    references: {
      source_key: { what: 'texts without their source', table: 'agent_sources', onDelete: 'deleted' },
    },
    exported: ['library'],
  },
  tool_credentials: {
    key: ['server_key', 'account_key'],
    references: {
      server_key: { what: 'credentials for tools without their server', table: 'tool_servers', onDelete: 'deleted' },
      account_key: account('credentials for tools without their account', { onDelete: 'belonging' }),
      agent_key: account('credentials for tools without their agent', { onDelete: 'deleted' }),
    },
    exported: ['tool_credentials'],
  },
  tool_logins: {
    key: ['state_hash'],
    references: {
      server_key: { what: 'logins without their server of tools', table: 'tool_servers', onDelete: 'deleted' },
      account_key: account('logins to tools without their account', { onDelete: 'belonging' }),
      agent_key: account('logins to tools without their agent', { onDelete: 'deleted' }),
    },
    exported: 'live ten minutes',
  },

  // Usage outlives its agent, and is deleted with the owner and the owner's agents (USAGE-10).
  usage: {
    key: ['owner_key', 'agent_key', 'human_key', 'chat_id', 'day'],
    references: {
      owner_key: account('usage without the owner of its agent', { onDelete: 'belonging' }),
      agent_key: account('usage without its agent'),
      human_key: account('usage without its human'),
    },
    unchecked: { chat_id: 'outlives the conversation' },
    exported: ['usage'],
  },
  usage_prices: {
    key: ['owner_key', 'agent_key', 'human_key', 'chat_id', 'day', 'currency'],
    references: {
      owner_key: account('prices without the owner of their agent', { onDelete: 'belonging' }),
      agent_key: account('prices without their agent'),
      human_key: account('prices without their human'),
    },
    unchecked: { chat_id: 'outlives the conversation' },
    exported: ['usage'],
  },
  usage_months: {
    key: ['agent_key', 'month'],
    references: { agent_key: account('usage of a month without its agent', { onDelete: 'belonging' }) },
    exported: 'sums of `usage`',
  },
  usage_days: {
    key: ['agent_key', 'day'],
    references: { agent_key: account('usage of a day without its agent', { onDelete: 'belonging' }) },
    exported: 'sums of `usage`',
  },
  usage_group_months: {
    key: ['agent_key', 'chat_key', 'month'],
    references: {
      agent_key: account('usage in a group without its agent', { onDelete: 'belonging' }),
      chat_key: chat('usage in a group that does not exist'),
    },
    exported: 'sums of `usage`',
  },
  budget_warnings: {
    key: ['agent_key', 'human_key', 'chat_key'],
    references: {
      agent_key: account('warnings without their agent', { onDelete: 'belonging' }),
      human_key: account('warnings without their human', { none: 0 }),
      chat_key: chat('warnings without their group', { none: 0 }),
    },
    exported: 'only which warning was sent last',
  },
  reply_prices: {
    key: ['account_key', 'message_key', 'currency'],
    references: {
      account_key: account('prices of replies without their account', { onDelete: 'belonging' }),
      message_key: message('prices without their reply'),
    },
    exported: 'the export has prices by day',
  },

  webhooks: {
    key: ['account_key'],
    references: {
      account_key: account('webhooks without their account', { onDelete: 'deleted' }),
      chat_key: chat('webhooks without their conversation'),
      channel_key: channel('webhooks without their channel', { onDelete: 'deleted' }),
    },
    exported: ['webhooks'],
  },
  webhook_subscriptions: {
    key: ['key'],
    references: {
      account_key: account('webhook subscriptions without their account', { onDelete: 'belonging' }),
      chat_key: chat('webhook subscriptions without their conversation', { none: 0 }),
    },
    exported: ['webhook_subscriptions'],
  },

  transcriptions: {
    key: ['message_id'],
    references: {
      human_key: account('transcriptions without their asker'),
      agent_key: account('transcriptions without their agent'),
    },
    unchecked: { message_id: 'may outlive its message for the minute that its request may take' },
    exported: 'lives as long as a request',
  },
  turns: {
    key: ['key'],
    references: {
      message_key: message('turns without their message'),
      agent_key: account('turns without their agent'),
      chat_key: chat('turns without their conversation'),
      channel_key: channel('turns without their channel'),
      thread_key: message('turns without the root of their thread', { none: 0 }),
      human_key: account('turns without their human'),
      owner_key: account('turns without the owner of their agent', { none: 0 }),
      root_message_key: message('turns without the message that began them'),
      reply_key: message('turns without their reply', { none: null }),
    },
    exported: 'how the service made replies; the replies are messages',
  },
  tool_turns: {
    key: ['turn_key'],
    references: { turn_key: { what: 'turns with tools that do not exist', table: 'turns' } },
    exported: 'lives as long as its turn',
  },
  turn_steps: {
    key: ['turn_key', 'step'],
    references: { turn_key: { what: 'steps without their turn', table: 'turns' } },
    exported: 'lives as long as its turn',
  },
  // The ledger stays when its message is deleted, without arguments and results.
  tool_calls: {
    key: ['key'],
    references: {
      turn_key: { what: 'calls of tools without their turn', table: 'turns' },
      message_key: message('calls of tools without their reply'),
      chat_key: chat('calls of tools without their conversation'),
      agent_key: account('calls of tools without their agent'),
      human_key: account('calls of tools without their asker', { onDelete: 'belonging' }),
      owner_key: account('calls of tools without the owner whose account they used', { none: null }),
    },
    unchecked: { grant_id: 'of an answer that its person may have taken back' },
    exported: ['tool_calls'],
  },
  tool_grants: {
    key: ['human_key', 'agent_key', 'server', 'tool', 'chat_key'],
    references: {
      human_key: account('allowed tools without their person', { onDelete: 'belonging' }),
      agent_key: account('allowed tools without their agent', { onDelete: 'deleted' }),
      chat_key: chat('allowed tools without their conversation', { none: 0 }),
    },
    exported: ['tool_grants'],
  },
  streams: {
    key: ['message_key'],
    references: {
      message_key: message('streams without their message', { onDelete: 'deleted' }),
      agent_key: account('streams without their agent', { onDelete: 'deleted' }),
      chat_key: chat('streams without their conversation'),
      turn_key: { what: 'streams without their turn', table: 'turns', none: null },
    },
    unchecked: { node_key: 'a node of several, which come and go; 0 where there is only one' },
    exported: 'replies of agents that are not finished',
  },
  summaries: {
    key: ['chat_key', 'channel_key', 'thread_key', 'agent_key', 'asker_key'],
    references: {
      chat_key: chat('summaries without their conversation'),
      channel_key: channel('summaries without their channel', { onDelete: 'deleted' }),
      thread_key: message('summaries without the root of their thread', { none: 0, onDelete: 'deleted' }),
      agent_key: account('summaries without their agent', { onDelete: 'deleted' }),
      asker_key: account('summaries without their asker', { none: 0, onDelete: 'deleted' }),
      from_key: message('summaries without their first message', { none: 0, onDelete: 'deleted' }),
      through_key: message('summaries without their last message', { none: 0, onDelete: 'deleted' }),
      reach_key: message('summaries without the message that they are made up to', { onDelete: 'deleted' }),
    },
    exported: 'is derived from messages',
  },
} as const satisfies Readonly<Record<string, Table>>;
