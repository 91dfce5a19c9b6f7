// The service in numbers, for its administrators (ADMIN-24). Each is one statement.
import type { AccountRole } from '@parley/protocol';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { statement } from './sql.ts';

// Each count of people reads an index only, or few rows: a service can have 100,000 people (ERR-12).
const isCounted = `username <> '${RESERVED_WORD}' AND deleted_at IS NULL`;
/** People by role, without deleted accounts and the service's own. */
export const countPeople = statement<{ role: AccountRole; count: number }>(
  `SELECT role, count(*) AS count FROM accounts WHERE kind = 'human' AND ${isCounted} GROUP BY role`,
);
// No agent is disabled or waits by itself; naming the kind would make SQLite read the people of all roles.
const countOf = (state: string) =>
  statement<{ count: number }>(`SELECT count(*) AS count FROM accounts WHERE ${state} AND ${isCounted}`);
export const countDisabled = countOf('disabled_at IS NOT NULL');
export const countPending = countOf('pending = 1');

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
