import { type AccountRow, accountFields } from './accounts.ts';
import { statement } from './sql.ts';

export interface AccessTokenRow {
  key: number;
  id: Uint8Array;
  account_key: number;
  name: string;
  /** Words separated by spaces. */
  scopes: string;
  /** A JSON list of public ids; null for all conversations. */
  chat_ids: string | null;
  created_at: number;
  /** Null for never. */
  expires_at: number | null;
  last_used_at: number | null;
  /** The program that got it on the consent page; null for a token made by hand. */
  client_id: string | null;
  /** Where that program is, in words. */
  client: string | null;
  /** JSON: against what the exchange of its code is checked. Null once it is exchanged, and for tokens made by hand. */
  code: string | null;
}

const columns =
  'key, id, account_key, name, scopes, chat_ids, created_at, expires_at, last_used_at, client_id, client, code';

type NewRow = [
  id: Uint8Array,
  account: number,
  tokenHash: Uint8Array,
  name: string,
  scopes: string,
  chatIds: string | null,
  now: number,
  expiresAt: number | null,
];

export const insertAccessToken = statement<never, NewRow>(
  `INSERT INTO access_tokens (id, account_key, token_hash, name, scopes, chat_ids, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
interface GrantRow extends AccessTokenRow {
  /** Of the newest refresh token; null until the code is exchanged. */
  refresh_hash: Uint8Array | null;
}

/** A grant whose program has not exchanged its code yet: nothing bears this token. */
export const insertGrant = statement<
  never,
  [...NewRow, clientId: string, client: string | null, codeHash: Uint8Array, code: string]
>(
  `INSERT INTO access_tokens (id, account_key, token_hash, name, scopes, chat_ids, created_at, expires_at, client_id, client,
     code_hash, code)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);
export const grantByCode = statement<GrantRow, [codeHash: Uint8Array]>(
  `SELECT ${columns}, refresh_hash FROM access_tokens WHERE code_hash = $1`,
);
export const grantByRefresh = statement<GrantRow, [family: Uint8Array]>(
  `SELECT ${columns}, refresh_hash FROM access_tokens WHERE refresh_family = $1`,
);
/** The code is exchanged: the grant has bearers, and ends at its own time. */
export const openGrant = statement<
  never,
  [
    key: number,
    expiresAt: number | null,
    tokenHash: Uint8Array,
    bearerUntil: number,
    family: Uint8Array,
    refreshHash: Uint8Array,
  ]
>(
  `UPDATE access_tokens SET expires_at = $2, token_hash = $3, bearer_until = $4, refresh_family = $5, refresh_hash = $6,
     code = NULL WHERE key = $1`,
);
export const renewGrant = statement<
  never,
  [key: number, tokenHash: Uint8Array, bearerUntil: number, refreshHash: Uint8Array]
>('UPDATE access_tokens SET token_hash = $2, bearer_until = $3, refresh_hash = $4 WHERE key = $1');
/** Those that have not expired, newest first. */
export const accessTokensOf = statement<AccessTokenRow, [account: number, now: number]>(
  `SELECT ${columns} FROM access_tokens
   WHERE account_key = $1 AND (expires_at IS NULL OR expires_at > $2) ORDER BY key DESC`,
);
export const accessTokenById = statement<AccessTokenRow, [id: Uint8Array, account: number]>(
  `SELECT ${columns} FROM access_tokens WHERE id = $1 AND account_key = $2`,
);
/** When a token expires; no row for one that was revoked. */
export const accessTokenEnd = statement<{ expires_at: number | null }, [key: number]>(
  'SELECT expires_at FROM access_tokens WHERE key = $1',
);
export const deleteAccessToken = statement<never, [key: number]>('DELETE FROM access_tokens WHERE key = $1');
export const deleteExpiredAccessTokens = statement<never, [now: number]>(
  'DELETE FROM access_tokens WHERE expires_at <= $1',
);
export const touchAccessToken = statement<never, [key: number, now: number]>(
  'UPDATE access_tokens SET last_used_at = $2 WHERE key = $1',
);
/** The account of a token, with the token's own columns. */
export const accountByAccessToken = statement<
  AccountRow & {
    token_key: number;
    token_name: string;
    scopes: string;
    chat_ids: string | null;
    token_expires_at: number | null;
    /** When the bearer of a grant expires; null for a token made by hand. */
    bearer_until: number | null;
  },
  [tokenHash: Uint8Array]
>(
  `SELECT ${accountFields}, t.key AS token_key, t.name AS token_name, t.scopes, t.chat_ids,
     t.expires_at AS token_expires_at, t.bearer_until
   FROM access_tokens t JOIN accounts a ON a.key = t.account_key LEFT JOIN accounts p ON p.key = a.parent_key
   WHERE t.token_hash = $1`,
);

/** The public id of a row and of its conversation. */
interface PlacedRow {
  id: Uint8Array;
  chat_id: Uint8Array;
}
const placesIn = (table: string) =>
  statement<PlacedRow>(
    `SELECT t.id, c.id AS chat_id FROM ${table} t JOIN chats c ON c.key = t.chat_key WHERE t.id IN (:list)`,
  );
/** The conversations of rows, by the public ids of the rows. */
export const placesOf = {
  message: placesIn('messages'),
  scheduled: placesIn('scheduled'),
  invite: placesIn('invites'),
} as const;
/** The file, if the account has uploaded and not yet sent it, or a message of one of the conversations holds it. */
export const fileInChats = statement<{ key: number }, [id: Uint8Array, account: number]>(
  `SELECT f.key FROM files f WHERE f.id = $1 AND ((f.account_key = $2 AND f.uses = 0) OR EXISTS (
     SELECT 1 FROM message_files mf JOIN messages m ON m.key = mf.message_key JOIN chats c ON c.key = m.chat_key
     WHERE mf.file_key = f.key AND c.id IN (:list)))`,
);
export const chatKeysOf = statement<{ key: number }>('SELECT key FROM chats WHERE id IN (:list)');
