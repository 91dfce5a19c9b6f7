// Invites with which people create accounts (ENTER-1 …).
import { statement } from './sql.ts';

export interface ServiceInviteRow {
  key: number;
  id: Uint8Array;
  creator_key: number;
  role: 'member' | 'guest';
  approval: number;
  max_uses: number | null;
  uses: number;
  created_at: number;
  /** null if it never expires. */
  expires_at: number | null;
}

const columns = 'i.key, i.id, i.creator_key, i.role, i.approval, i.max_uses, i.uses, i.created_at, i.expires_at';
/** SQL: the invite can still be used at the time `$1`. */
const isLiving = '(i.max_uses IS NULL OR i.uses < i.max_uses) AND (i.expires_at IS NULL OR i.expires_at > $1)';

export const insertServiceInvite = statement<
  { key: number },
  [
    id: Uint8Array,
    creator: number,
    tokenHash: Uint8Array,
    role: string,
    approval: number,
    maxUses: number | null,
    now: number,
    expiresAt: number | null,
  ]
>(
  `INSERT INTO service_invites (id, creator_key, token_hash, role, approval, max_uses, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING key`,
);
export const addInviteChat = statement<never, [invite: number, place: number, chat: number]>(
  'INSERT INTO service_invite_chats (invite_key, place, chat_key) VALUES ($1, $2, $3)',
);
export const serviceInviteByToken = statement<ServiceInviteRow, [now: number, tokenHash: Uint8Array]>(
  `SELECT ${columns} FROM service_invites i WHERE ${isLiving} AND i.token_hash = $2`,
);
export const serviceInviteById = statement<ServiceInviteRow, [now: number, id: Uint8Array]>(
  `SELECT ${columns} FROM service_invites i WHERE ${isLiving} AND i.id = $2`,
);
export const inviteChats = statement<{ chat_key: number; chat_id: Uint8Array }, [invite: number]>(
  `SELECT n.chat_key, c.id AS chat_id FROM service_invite_chats n JOIN chats c ON c.key = n.chat_key
   WHERE n.invite_key = $1 ORDER BY n.place`,
);
/** The groups of many invites, with their places in them. */
export const chatsOfInvites = statement<{ invite_key: number; place: number; chat_id: Uint8Array }>(
  `SELECT n.invite_key, n.place, c.id AS chat_id FROM service_invite_chats n JOIN chats c ON c.key = n.chat_key
   WHERE n.invite_key IN (:list)`,
);
type Listed = ServiceInviteRow & { created_by: string };
const listed = `SELECT ${columns}, a.username AS created_by
   FROM service_invites i JOIN accounts a ON a.key = i.creator_key WHERE ${isLiving}`;
/** Newest first. */
export const livingServiceInvites = statement<Listed, [now: number, limit: number]>(
  `${listed} ORDER BY i.key DESC LIMIT $2`,
);
export const livingServiceInvitesOf = statement<Listed, [now: number, limit: number, creator: number]>(
  `${listed} AND i.creator_key = $3 ORDER BY i.key DESC LIMIT $2`,
);
export const countServiceInvitesOf = statement<{ count: number }, [now: number, creator: number]>(
  `SELECT count(*) AS count FROM service_invites i WHERE ${isLiving} AND i.creator_key = $2`,
);
/** Counts a use, unless none is left. An invite that this uses up is deleted at `goesAt`. */
export const takeServiceUse = statement<never, [key: number, goesAt: number]>(
  `UPDATE service_invites SET uses = uses + 1,
     expires_at = CASE WHEN uses + 1 = max_uses AND (expires_at IS NULL OR expires_at > $2) THEN $2 ELSE expires_at END
   WHERE key = $1 AND (max_uses IS NULL OR uses < max_uses)`,
);
const drop = (which: string): [string, string] => [
  `DELETE FROM service_invite_chats WHERE invite_key IN (SELECT key FROM service_invites WHERE ${which})`,
  `DELETE FROM service_invites WHERE ${which}`,
];
const [chatsOfOne, one] = drop('key = $1');
const [chatsOfMaker, ofMaker] = drop('creator_key = $1');
const [chatsOfExpired, expired] = drop('expires_at <= $1');
/** The statements that delete an invite, in their order; the same for those of an account, and expired ones. */
export const dropServiceInvite = [statement<never, [key: number]>(chatsOfOne), statement<never, [key: number]>(one)];
export const dropServiceInvitesOf = [
  statement<never, [creator: number]>(chatsOfMaker),
  statement<never, [creator: number]>(ofMaker),
];
export const dropExpiredServiceInvites = [
  statement<never, [now: number]>(chatsOfExpired),
  statement<never, [now: number]>(expired),
];

export const addPendingJoin = statement<never, [account: number, chat: number, inviter: number]>(
  `INSERT INTO pending_joins (account_key, chat_key, inviter_key) VALUES ($1, $2, $3)
   ON CONFLICT (account_key, chat_key) DO NOTHING`,
);
export const pendingJoinsOf = statement<{ chat_key: number; inviter_key: number }, [account: number]>(
  'SELECT chat_key, inviter_key FROM pending_joins WHERE account_key = $1 ORDER BY chat_key',
);
export const dropPendingJoinsOf = statement<never, [account: number]>(
  'DELETE FROM pending_joins WHERE account_key = $1',
);
