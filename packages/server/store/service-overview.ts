// The service in numbers, for its administrators (ADMIN-24). Each is one statement.
import type { AccountRole } from '@parley/protocol';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { statement } from './sql.ts';

const counted = (condition: string): string => `count(CASE WHEN ${condition} THEN 1 END)`;

/** People by role, without deleted accounts and the service's own. */
export const countPeople = statement<{ role: AccountRole; count: number; disabled: number; pending: number }>(
  `SELECT role, count(*) AS count, ${counted('disabled_at IS NOT NULL')} AS disabled, ${counted('pending = 1')} AS pending
   FROM accounts WHERE kind = 'human' AND username <> '${RESERVED_WORD}' AND deleted_at IS NULL GROUP BY role`,
);
/** One row for each person. */
export const storedByAll = statement<{ bytes: number }>(
  'SELECT CAST(COALESCE(sum(bytes), 0) AS BIGINT) AS bytes FROM stored_bytes',
);
/** Tokens on the installation's key, by agent: one row for each agent and day. */
export const usedSince = statement<{ agent: string; tokens: number }, [day: number]>(
  `SELECT a.username AS agent, CAST(sum(d.tokens) AS BIGINT) AS tokens
   FROM usage_days d JOIN accounts a ON a.key = d.agent_key
   WHERE d.day >= $1 AND a.deleted_at IS NULL GROUP BY a.username ORDER BY a.username`,
);
