import type { Price } from '@parley/protocol';
import { statement } from './sql.ts';

export const addUsage = statement<
  never,
  [
    owner: number,
    agent: number,
    human: number,
    chatId: Uint8Array,
    day: number,
    input: number,
    output: number,
    replies: number,
    ownerKeyTokens: number,
  ]
>(
  `INSERT INTO usage (owner_key, agent_key, human_key, chat_id, day, input_tokens, output_tokens, replies, owner_key_tokens)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (owner_key, agent_key, human_key, chat_id, day) DO UPDATE SET
     input_tokens = usage.input_tokens + excluded.input_tokens,
     output_tokens = usage.output_tokens + excluded.output_tokens, replies = usage.replies + excluded.replies,
     owner_key_tokens = usage.owner_key_tokens + excluded.owner_key_tokens`,
);
export const addToMonth = statement<never, [agent: number, month: number, tokens: number]>(
  `INSERT INTO usage_months (agent_key, month, tokens) VALUES ($1, $2, $3)
   ON CONFLICT (agent_key, month) DO UPDATE SET tokens = usage_months.tokens + excluded.tokens`,
);

export const addToGroupMonth = statement<never, [agent: number, chat: number, month: number, tokens: number]>(
  `INSERT INTO usage_group_months (agent_key, chat_key, month, tokens) VALUES ($1, $2, $3, $4)
   ON CONFLICT (agent_key, chat_key, month) DO UPDATE SET tokens = usage_group_months.tokens + excluded.tokens`,
);

/** Counts tokens of the house's agent on its owner's key. */
export const addToDay = statement<never, [agent: number, day: number, tokens: number]>(
  `INSERT INTO usage_days (agent_key, day, tokens) VALUES ($1, $2, $3)
   ON CONFLICT (agent_key, day) DO UPDATE SET tokens = usage_days.tokens + excluded.tokens`,
);
export const usedInDay = statement<{ tokens: number }, [agent: number, day: number]>(
  'SELECT tokens FROM usage_days WHERE agent_key = $1 AND day = $2',
);

export const usedInMonth = statement<{ tokens: number }, [agent: number, month: number]>(
  'SELECT tokens FROM usage_months WHERE agent_key = $1 AND month = $2',
);
/** Tokens of an agent in a group, on its owner's key. */
export const usedInGroup = statement<{ tokens: number }, [agent: number, chat: number, month: number]>(
  'SELECT tokens FROM usage_group_months WHERE agent_key = $1 AND chat_key = $2 AND month = $3',
);
/** Tokens that one asker has used of an agent on its owner's key in a day. */
export const usedOfOwnersKey = statement<{ tokens: number }, [agent: number, human: number, day: number]>(
  `SELECT CAST(COALESCE(sum(owner_key_tokens), 0) AS BIGINT) AS tokens FROM usage
   WHERE agent_key = $1 AND human_key = $2 AND day = $3`,
);
export const putTokenCap = statement<never, [agent: number, cap: number | null]>(
  `INSERT INTO agent_config (agent_key, config, published, monthly_token_cap) VALUES ($1, '{}', '[]', $2)
   ON CONFLICT (agent_key) DO UPDATE SET monthly_token_cap = excluded.monthly_token_cap`,
);

export const putGroupTokens = statement<never, [agent: number, tokens: number | null]>(
  `INSERT INTO agent_config (agent_key, config, published, group_monthly_tokens) VALUES ($1, '{}', '[]', $2)
   ON CONFLICT (agent_key) DO UPDATE SET group_monthly_tokens = excluded.group_monthly_tokens`,
);
/** Returns a row the first time in a period; `human` and `chat` are 0 where the budget is for no asker or group. */
export const markWarned = statement<{ period: number }, [agent: number, human: number, chat: number, period: number]>(
  `INSERT INTO budget_warnings (agent_key, human_key, chat_key, period) VALUES ($1, $2, $3, $4)
   ON CONFLICT (agent_key, human_key, chat_key) DO UPDATE SET period = excluded.period
     WHERE budget_warnings.period < excluded.period RETURNING period`,
);

/** Usage of one agent by one human in one conversation, within the requested days. */
export interface UsageRow {
  agent_key: number;
  human_key: number;
  chat_id: Uint8Array;
  input_tokens: number;
  output_tokens: number;
  replies: number;
  owner_key_tokens: number;
  /** The last day that was read, the number of days read, and how many of these were requested. */
  last_day: number;
  days: number;
  hits: number;
}

const within = 'u.day BETWEEN $6 AND $7';
const sum = (column: string): string =>
  `CAST(sum(CASE WHEN ${within} THEN u.${column} ELSE 0 END) AS BIGINT) AS ${column}`;
/** Adds up a limited number of usage records after a position in their order: one part of a possibly long list. */
export const usageBehind = statement<
  UsageRow,
  [owner: number, agent: number, human: number, chatId: Uint8Array, day: number, from: number, to: number, most: number]
>(
  `SELECT u.agent_key, u.human_key, u.chat_id, ${['input_tokens', 'output_tokens', 'replies', 'owner_key_tokens'].map(sum).join(', ')},
     max(u.day) AS last_day, count(*) AS days, count(CASE WHEN ${within} THEN 1 END) AS hits
   FROM (SELECT agent_key, human_key, chat_id, day, input_tokens, output_tokens, replies, owner_key_tokens FROM usage
     WHERE owner_key = $1 AND (agent_key, human_key, chat_id, day) > ($2, $3, $4, $5)
     ORDER BY agent_key, human_key, chat_id, day LIMIT $8) u
   GROUP BY u.agent_key, u.human_key, u.chat_id ORDER BY u.agent_key, u.human_key, u.chat_id`,
);

/** Stores the usage that an open reply has reported, and its price. */
export const noteStreamUsage = statement<
  never,
  [message: number, input: number | null, output: number | null, currency: string | null, micros: number | null]
>('UPDATE streams SET input_tokens = $2, output_tokens = $3, currency = $4, micros = $5 WHERE message_key = $1');

export const addReplyPrice = statement<never, [account: number, message: number, currency: string, micros: number]>(
  `INSERT INTO reply_prices (account_key, message_key, currency, micros) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key, message_key, currency) DO UPDATE SET micros = reply_prices.micros + excluded.micros`,
);
/** What an account has paid for a reply. */
export const pricesOfReply = statement<Price, [account: number, message: number]>(
  'SELECT currency, micros FROM reply_prices WHERE account_key = $1 AND message_key = $2 ORDER BY currency',
);

type UsagePlace = [owner: number, agent: number, human: number, chatId: Uint8Array, day: number];

export const addUsagePrice = statement<never, [...UsagePlace, currency: string, micros: number]>(
  `INSERT INTO usage_prices (owner_key, agent_key, human_key, chat_id, day, currency, micros)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (owner_key, agent_key, human_key, chat_id, day, currency)
   DO UPDATE SET micros = usage_prices.micros + excluded.micros`,
);
/** The prices of a sum of usage records, from one day through another. */
export const pricesOfUsage = statement<Price, [...UsagePlace, to: number]>(
  `SELECT currency, CAST(sum(micros) AS BIGINT) AS micros FROM usage_prices
   WHERE owner_key = $1 AND agent_key = $2 AND human_key = $3 AND chat_id = $4 AND day BETWEEN $5 AND $6
   GROUP BY currency ORDER BY currency`,
);
