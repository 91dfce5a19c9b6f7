// Backends: products with users of their own, each of which has an account here.
import { statement } from './sql.ts';

export interface BackendRow {
  key: number;
  name: string;
  owner_key: number;
}

export const backendByToken = statement<BackendRow, [tokenHash: Uint8Array]>(
  'SELECT key, name, owner_key FROM backends WHERE token_hash = $1',
);
/** A backend whose JWTs are accepted. */
export interface TrustedIssuer {
  key: number;
  name: string;
  issuer: string;
  audience: string;
  /** A JWK Set, which was checked before it was stored. */
  jwks: string;
  /** Where the set was fetched, and when; null if it is from a file. */
  jwks_url: string | null;
  jwks_fetched_at: number | null;
}
export const backendByIssuer = statement<TrustedIssuer, [issuer: string]>(
  'SELECT key, name, issuer, audience, jwks, jwks_url, jwks_fetched_at FROM backends WHERE issuer = $1',
);
/** A backend whose JWTs are still accepted. */
export const trustedBackend = statement<BackendRow, [key: number, issuer: string]>(
  'SELECT key, name, owner_key FROM backends WHERE key = $1 AND issuer = $2',
);
export const backendNamed = statement<BackendRow, [name: string]>(
  'SELECT key, name, owner_key FROM backends WHERE name = $1',
);
/** All backends by name, with their owner and the number of their users. */
export const listedBackends = statement<{
  name: string;
  owner: string;
  has_key: number;
  issuer: string | null;
  jwks_url: string | null;
  jwks_fetched_at: number | null;
  users: number;
}>(
  `SELECT b.name, a.username AS owner, CASE WHEN b.token_hash IS NULL THEN 0 ELSE 1 END AS has_key, b.issuer,
     b.jwks_url, b.jwks_fetched_at,
     (SELECT count(*) FROM backend_users u WHERE u.backend_key = b.key) AS users
   FROM backends b JOIN accounts a ON a.key = b.owner_key ORDER BY b.name`,
);
export const insertBackend = statement<{ key: number }, [name: string, owner: number, now: number]>(
  'INSERT INTO backends (name, owner_key, created_at) VALUES ($1, $2, $3) RETURNING key',
);
export const setBackendOwner = statement<never, [key: number, owner: number]>(
  'UPDATE backends SET owner_key = $2 WHERE key = $1',
);
export const setBackendKey = statement<never, [key: number, tokenHash: Uint8Array | null]>(
  'UPDATE backends SET token_hash = $2 WHERE key = $1',
);
export const setBackendIssuer = statement<
  never,
  [
    key: number,
    issuer: string | null,
    audience: string | null,
    jwks: string | null,
    jwksUrl: string | null,
    fetchedAt: number | null,
  ]
>(
  `UPDATE backends SET issuer = $2, audience = $3, jwks = $4, jwks_url = $5, jwks_fetched_at = $6
   WHERE key = $1`,
);
/**
 * Stores a set that was fetched. Does nothing if the backend's keys are no longer fetched from this address, or if a
 * request that began later has stored another set; a time in the future is no such request's.
 */
export const setBackendKeys = statement<
  never,
  [key: number, jwksUrl: string, jwks: string, fetchedAt: number, now: number]
>(
  `UPDATE backends SET jwks = $3, jwks_fetched_at = $4
   WHERE key = $1 AND jwks_url = $2 AND (jwks_fetched_at <= $4 OR jwks_fetched_at > $5)`,
);
export const sessionsOfBackend = statement<{ key: number }, [backend: number, limit: number]>(
  'SELECT key FROM sessions WHERE backend_key = $1 ORDER BY key LIMIT $2',
);

export const backendUser = statement<{ account_key: number; left_at: number }, [backend: number, externalId: string]>(
  'SELECT account_key, left_at FROM backend_users WHERE backend_key = $1 AND external_id = $2',
);
/** Does nothing for an account that is not a backend's user. */
export const noteLeft = statement<never, [account: number, now: number]>(
  'UPDATE backend_users SET left_at = $2 WHERE account_key = $1',
);
export const userOfAccount = statement<{ backend_key: number; external_id: string }, [account: number]>(
  'SELECT backend_key, external_id FROM backend_users WHERE account_key = $1',
);
export const noteDeletedUser = statement<never, [backend: number, idHash: Uint8Array, now: number]>(
  `INSERT INTO deleted_backend_users (backend_key, id_hash, deleted_at) VALUES ($1, $2, $3)
   ON CONFLICT (backend_key, id_hash) DO UPDATE SET deleted_at = excluded.deleted_at`,
);
export const deletedUser = statement<{ deleted_at: number }, [backend: number, idHash: Uint8Array]>(
  'SELECT deleted_at FROM deleted_backend_users WHERE backend_key = $1 AND id_hash = $2',
);
export const forgetDeletedUsers = statement<never, [until: number]>(
  'DELETE FROM deleted_backend_users WHERE deleted_at <= $1',
);
export const insertBackendUser = statement<never, [backend: number, externalId: string, account: number]>(
  'INSERT INTO backend_users (backend_key, external_id, account_key) VALUES ($1, $2, $3)',
);
/** The user that an account is, for its own export. */
export const identitiesOf = statement<{ backend: string; external_id: string }, [account: number]>(
  `SELECT b.name AS backend, u.external_id FROM backend_users u JOIN backends b ON b.key = u.backend_key
   WHERE u.account_key = $1`,
);
