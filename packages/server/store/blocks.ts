// The accounts that an account has blocked (BLOCK-1). Only the blocking account learns of a block.
import { type Sql, statement } from './sql.ts';

export const insertBlock = statement<never, [account: number, blocked: number, now: number]>(
  `INSERT INTO blocks (account_key, blocked_key, created_at) VALUES ($1, $2, $3)
   ON CONFLICT (account_key, blocked_key) DO NOTHING`,
);
export const deleteBlock = statement<never, [account: number, blocked: number]>(
  'DELETE FROM blocks WHERE account_key = $1 AND blocked_key = $2',
);
export const blockOf = statement<{ created_at: number }, [account: number, blocked: number]>(
  'SELECT created_at FROM blocks WHERE account_key = $1 AND blocked_key = $2',
);
export const countBlocks = statement<{ count: number }, [account: number]>(
  'SELECT count(*) AS count FROM blocks WHERE account_key = $1',
);
/** A page of blocks, newest first, after the position (created_at, blocked_key). */
export const blocksOf = statement<
  { blocked_key: number; created_at: number },
  [account: number, createdAt: number, blocked: number, limit: number]
>(
  `SELECT blocked_key, created_at FROM blocks WHERE account_key = $1 AND (created_at, blocked_key) < ($2, $3)
   ORDER BY created_at DESC, blocked_key DESC LIMIT $4`,
);
/** Deletes the blocks of an account and the blocks against it. */
export const dropBlocksOf = statement<never, [account: number]>(
  'DELETE FROM blocks WHERE account_key = $1 OR blocked_key = $1',
);

/** Whether the first account or its owner has blocked the second account or its owner. */
export const blockBetween = statement<{ found: number }, [blocker: number, other: number]>(
  `SELECT 1 AS found FROM blocks WHERE account_key IN ($1, (SELECT parent_key FROM accounts WHERE key = $1))
   AND blocked_key IN ($2, (SELECT parent_key FROM accounts WHERE key = $2)) LIMIT 1`,
);

/** The agents of a conversation that have blocked an account or its owner, themselves or by their owner. */
export const agentsBlocking = statement<{ account_key: number }, [chat: number, other: number]>(
  `SELECT p.account_key FROM participants p JOIN accounts a ON a.key = p.account_key
   WHERE p.chat_key = $1 AND a.kind = 'agent' AND EXISTS (SELECT 1 FROM blocks b
     WHERE b.account_key IN (a.key, a.parent_key)
       AND b.blocked_key IN ($2, (SELECT parent_key FROM accounts WHERE key = $2)))`,
);

/** Whether `blockerKey` has blocked `otherKey`; a block between humans covers the agents of both (BLOCK-8). */
export async function hasBlocked(tx: Sql, blockerKey: number, otherKey: number): Promise<boolean> {
  return (await tx.get(blockBetween, blockerKey, otherKey)) !== undefined;
}

/** SQL: the account `a`, or its owner, has blocked another one or its owner (BLOCK-8). */
export const isBlockedBy = (a: string, other: string): string =>
  `EXISTS (SELECT 1 FROM blocks b WHERE b.account_key IN (${a}.key, ${a}.parent_key)
     AND b.blocked_key IN (${other}, (SELECT parent_key FROM accounts WHERE key = ${other})))`;

const ownerOf = (account: string): string => `(SELECT parent_key FROM accounts WHERE key = ${account})`;
const isBlocking = (blocker: readonly [string, string], other: readonly [string, string]): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM blocks b WHERE b.account_key IN (${blocker.join(', ')})
     AND b.blocked_key IN (${other.join(', ')})) THEN 1 ELSE 0 END`;
const self = ['$2', ownerOf('$2')] as const;
const partner = ['o.key', 'o.parent_key'] as const;

/** The other account of a direct chat, and the blocks between the two; no row for a chat with oneself. */
export const otherOfDirect = statement<
  { deleted_at: number | null; is_blocked: number; has_blocked: number },
  [chat: number, account: number]
>(
  `SELECT o.deleted_at, ${isBlocking(self, partner)} AS is_blocked, ${isBlocking(partner, self)} AS has_blocked
   FROM participants p JOIN accounts o ON o.key = p.account_key WHERE p.chat_key = $1 AND p.account_key <> $2`,
);
