// Invites: links with a token with which people join a group (INVITE-1 …).
import { statement } from './sql.ts';

export interface InviteRow {
  key: number;
  id: Uint8Array;
  chat_key: number;
  creator_key: number;
  token_hash: Uint8Array;
  sealed: string;
  max_uses: number | null;
  uses: number;
  created_at: number;
  /** null if it never expires. */
  expires_at: number | null;
}

const columns =
  'i.key, i.id, i.chat_key, i.creator_key, i.token_hash, i.sealed, i.max_uses, i.uses, i.created_at, i.expires_at';
/** SQL: the invite can still be used at the time `$2`. */
const isLiving = '(i.max_uses IS NULL OR i.uses < i.max_uses) AND (i.expires_at IS NULL OR i.expires_at > $2)';

export const insertInvite = statement<
  never,
  [
    id: Uint8Array,
    chat: number,
    creator: number,
    tokenHash: Uint8Array,
    sealed: string,
    maxUses: number | null,
    now: number,
    expiresAt: number | null,
  ]
>(
  `INSERT INTO invites (id, chat_key, creator_key, token_hash, sealed, max_uses, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
/** Finds expired and used-up invites too. */
export const inviteByToken = statement<InviteRow, [tokenHash: Uint8Array]>(
  `SELECT ${columns} FROM invites i WHERE i.token_hash = $1`,
);
/** Newest first. */
export const livingInvites = statement<InviteRow & { created_by: string }, [chat: number, now: number]>(
  `SELECT ${columns}, a.username AS created_by FROM invites i JOIN accounts a ON a.key = i.creator_key
   WHERE i.chat_key = $1 AND ${isLiving} ORDER BY i.key DESC`,
);
export const countLivingInvites = statement<{ count: number }, [chat: number, now: number]>(
  `SELECT count(*) AS count FROM invites i WHERE i.chat_key = $1 AND ${isLiving}`,
);
/** The usable invite with this id, if the account manages its group. */
export const managedInvite = statement<{ key: number }, [id: Uint8Array, now: number, account: number]>(
  `SELECT i.key FROM invites i JOIN participants p ON p.chat_key = i.chat_key AND p.account_key = $3
   WHERE i.id = $1 AND ${isLiving} AND p.role IN ('owner', 'admin')`,
);
/**
 * Counts a use, unless none is left: of two concurrent units that take the last use, only the first changes the row. An
 * invite that this uses up is deleted at `goesAt`.
 */
export const takeUse = statement<never, [key: number, goesAt: number]>(
  `UPDATE invites SET uses = uses + 1,
     expires_at = CASE WHEN uses + 1 = max_uses AND (expires_at IS NULL OR expires_at > $2) THEN $2 ELSE expires_at END
   WHERE key = $1 AND (max_uses IS NULL OR uses < max_uses)`,
);
export const deleteInvite = statement<never, [key: number]>('DELETE FROM invites WHERE key = $1');
export const deleteInvitesOf = statement<never, [chat: number]>('DELETE FROM invites WHERE chat_key = $1');
export const deleteExpiredInvites = statement<never, [now: number, most: number]>(
  `DELETE FROM invites WHERE key IN (SELECT key FROM invites WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`,
);

/** A page of all invites, after a key. */
export const sealedInvites = statement<
  { key: number; token_hash: Uint8Array; sealed: string },
  [after: number, limit: number]
>('SELECT key, token_hash, sealed FROM invites WHERE key > $1 ORDER BY key LIMIT $2');
export const resealInvite = statement<never, [key: number, former: string, sealed: string]>(
  'UPDATE invites SET sealed = $3 WHERE key = $1 AND sealed = $2',
);
