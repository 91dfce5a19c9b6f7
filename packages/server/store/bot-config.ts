import type { PaysFor } from '@parley/protocol';
import { statement } from './sql.ts';

/** JSON texts: `config` is an object of strings, `published` a list of its keys. */
export interface OwnerConfigRow {
  config: string;
  published: string;
  /** Maximum tokens per UTC month; null for no limit. */
  monthly_token_cap: number | null;
  /** Maximum tokens in one group per UTC month, on the owner's key; null for no limit. */
  group_monthly_tokens: number | null;
  /** Null means 'groups'. */
  pays_for: PaysFor | null;
  /** A JSON list; null means none. */
  allowed_models: string | null;
  /** Null means the default. */
  asker_daily_tokens: number | null;
  /** 0 if the agent gives no titles to separate chats; null means 1. */
  titles: number | null;
  /** The server of the agent's own; null for the provider's. */
  base_url: string | null;
  /** An AgentContext as JSON, in which values may be missing; null means the default. */
  context: string | null;
  /** 1 if the agent has tool servers; null means 0. */
  has_tools: number | null;
  /** The service's own tools that the agent may use, as a JSON list; null for none. */
  built_in_tools: string | null;
  /** Where the settings of the house's agent come from; null for other agents, and while it is off. */
  house: HouseSource | null;
  /** Maximum tokens of all people together per UTC day, on the owner's key; null for no limit. */
  daily_tokens: number | null;
}

/** Who has set the house's agent: the variables of the environment, or the admin command. */
export type HouseSource = 'environment' | 'command';

export const ownerConfig = statement<OwnerConfigRow, [agent: number]>(
  `SELECT config, published, monthly_token_cap, group_monthly_tokens, pays_for, allowed_models,
     asker_daily_tokens, titles, base_url, context, has_tools, built_in_tools, house, daily_tokens
   FROM agent_config WHERE agent_key = $1`,
);
export const putOwnerConfig = statement<never, [agent: number, config: string, published: string]>(
  `INSERT INTO agent_config (agent_key, config, published) VALUES ($1, $2, $3)
   ON CONFLICT (agent_key) DO UPDATE SET config = excluded.config, published = excluded.published`,
);
/** Stores who may use the owner's key, and the limits. */
export const putKeyTerms = statement<
  never,
  [agent: number, paysFor: PaysFor | null, allowedModels: string | null, askerDailyTokens: number | null]
>(
  `INSERT INTO agent_config (agent_key, config, published, pays_for, allowed_models, asker_daily_tokens)
   VALUES ($1, '{}', '[]', $2, $3, $4)
   ON CONFLICT (agent_key) DO UPDATE SET pays_for = excluded.pays_for, allowed_models = excluded.allowed_models,
     asker_daily_tokens = excluded.asker_daily_tokens`,
);
/** Stores that an agent is the house's, or with nulls that it no longer is, and what all people together may use in a day. */
export const putHouse = statement<never, [agent: number, house: HouseSource | null, dailyTokens: number | null]>(
  `INSERT INTO agent_config (agent_key, config, published, house, daily_tokens) VALUES ($1, '{}', '[]', $2, $3)
   ON CONFLICT (agent_key) DO UPDATE SET house = excluded.house, daily_tokens = excluded.daily_tokens`,
);
/** Stores whether the agent gives titles to separate chats (TITLE-5). */
export const putTitles = statement<never, [agent: number, titles: number]>(
  `INSERT INTO agent_config (agent_key, config, published, titles) VALUES ($1, '{}', '[]', $2)
   ON CONFLICT (agent_key) DO UPDATE SET titles = excluded.titles`,
);
/** Stores the service's own tools that the agent may use (OWN-1). */
export const putBuiltInTools = statement<never, [agent: number, tools: string | null]>(
  `INSERT INTO agent_config (agent_key, config, published, built_in_tools) VALUES ($1, '{}', '[]', $2)
   ON CONFLICT (agent_key) DO UPDATE SET built_in_tools = excluded.built_in_tools`,
);
/** Stores the server of an agent's own, and what its model is sent of a conversation. */
export const putModelServer = statement<never, [agent: number, baseUrl: string | null, context: string | null]>(
  `INSERT INTO agent_config (agent_key, config, published, base_url, context) VALUES ($1, '{}', '[]', $2, $3)
   ON CONFLICT (agent_key) DO UPDATE SET base_url = excluded.base_url, context = excluded.context`,
);
export const overrideOf = statement<{ config: string }, [agent: number, account: number]>(
  'SELECT config FROM agent_overrides WHERE agent_key = $1 AND account_key = $2',
);
export const putOverride = statement<never, [agent: number, account: number, config: string]>(
  `INSERT INTO agent_overrides (agent_key, account_key, config) VALUES ($1, $2, $3)
   ON CONFLICT (agent_key, account_key) DO UPDATE SET config = excluded.config`,
);
export const removeOwnerConfig = statement<never, [agent: number]>('DELETE FROM agent_config WHERE agent_key = $1');
export const removeOverridesOfAgent = statement<never, [agent: number]>(
  'DELETE FROM agent_overrides WHERE agent_key = $1',
);

export const putCommands = statement<never, [account: number, commands: string | null]>(
  'UPDATE bots SET commands = $2 WHERE account_key = $1',
);
/** The commands of a conversation's bots, as JSON lists, oldest bot first. */
export const commandsOfChat = statement<
  { username: string; kind: 'agent'; display_name: string; commands: string },
  [chat: number, limit: number]
>(
  `SELECT a.username, a.kind, a.display_name, b.commands FROM participants p
   JOIN bots b ON b.account_key = p.account_key JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND b.commands IS NOT NULL AND a.deleted_at IS NULL ORDER BY a.key LIMIT $2`,
);
export const putHandlesActions = statement<never, [account: number, handlesActions: number]>(
  'UPDATE bots SET handles_actions = $2 WHERE account_key = $1',
);
/** Whether presses are sent to the bot; undefined if the agent is no bot. */
export const handlesActions = statement<{ handles_actions: number }, [account: number]>(
  'SELECT handles_actions FROM bots WHERE account_key = $1',
);

/** The schemas are JSON lists of FieldSpec, the commands of BotCommand. */
export const botSchema = statement<
  {
    template: string | null;
    config_schema: string;
    secret_schema: string;
    commands: string | null;
    handles_actions: number;
  },
  [account: number]
>('SELECT template, config_schema, secret_schema, commands, handles_actions FROM bots WHERE account_key = $1');
