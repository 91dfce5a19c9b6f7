// OpenID Connect: who an account is at an issuer, sign-ins that are under way, and the sessions that began there.
import { statement } from './sql.ts';

export const accountOfIdentity = statement<{ account_key: number }, [issuer: string, subject: string]>(
  'SELECT account_key FROM oidc_identities WHERE issuer = $1 AND subject = $2',
);
export const insertIdentity = statement<never, [issuer: string, subject: string, account: number]>(
  'INSERT INTO oidc_identities (issuer, subject, account_key) VALUES ($1, $2, $3)',
);
/** Who the account is at issuers, for its own export, and to know that it signs in there. */
export const issuersOf = statement<{ issuer: string; subject: string }, [account: number]>(
  'SELECT issuer, subject FROM oidc_identities WHERE account_key = $1 ORDER BY issuer, subject',
);

export const insertLogin = statement<
  never,
  [stateHash: Uint8Array, browserHash: Uint8Array, sealed: string, expiresAt: number]
>('INSERT INTO oidc_logins (state_hash, browser_hash, sealed, expires_at) VALUES ($1, $2, $3, $4)');
/** Takes a login that has begun, for its own browser only: the second to bring its state finds none. */
export const takeLogin = statement<{ sealed: string }, [stateHash: Uint8Array, browserHash: Uint8Array, now: number]>(
  'DELETE FROM oidc_logins WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3 RETURNING sealed',
);
export const dropOldLogins = statement<never, [now: number]>('DELETE FROM oidc_logins WHERE expires_at <= $1');

export interface CodeRow {
  issuer: string;
  subject: string;
  account_key: number;
  sid: string | null;
  sealed: string | null;
}
const codeColumns = 'issuer, subject, account_key, sid, sealed';

export const insertCode = statement<
  never,
  [
    codeHash: Uint8Array,
    browserHash: Uint8Array,
    issuer: string,
    subject: string,
    account: number,
    sid: string | null,
    sealed: string | null,
    expiresAt: number,
  ]
>(
  `INSERT INTO oidc_codes (code_hash, browser_hash, issuer, subject, account_key, sid, sealed, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
export const codeOf = statement<CodeRow, [codeHash: Uint8Array, browserHash: Uint8Array, now: number]>(
  `SELECT ${codeColumns} FROM oidc_codes WHERE code_hash = $1 AND browser_hash = $2 AND expires_at > $3`,
);
/** Takes a code, for its own browser only: the second to bring it finds none. */
export const takeCode = statement<CodeRow, [codeHash: Uint8Array, browserHash: Uint8Array, now: number]>(
  `DELETE FROM oidc_codes WHERE code_hash = $1 AND browser_hash = $2 AND expires_at > $3 RETURNING ${codeColumns}`,
);
export const dropOldCodes = statement<never, [now: number]>('DELETE FROM oidc_codes WHERE expires_at <= $1');
export const dropCodesOfSubject = statement<never, [issuer: string, subject: string]>(
  'DELETE FROM oidc_codes WHERE issuer = $1 AND subject = $2',
);
export const dropCodesOfSid = statement<never, [issuer: string, sid: string]>(
  'DELETE FROM oidc_codes WHERE issuer = $1 AND sid = $2',
);

export const insertOidcSession = statement<
  never,
  [
    session: number,
    account: number,
    issuer: string,
    subject: string,
    sid: string | null,
    sealed: string | null,
    now: number,
    refreshAt: number,
  ]
>(
  `INSERT INTO oidc_sessions (session_key, account_key, issuer, subject, sid, sealed, checked_at, refresh_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
export const sessionsOfSid = statement<{ session_key: number; subject: string }, [issuer: string, sid: string]>(
  'SELECT session_key, subject FROM oidc_sessions WHERE issuer = $1 AND sid = $2',
);
export const sessionsOfSubject = statement<{ session_key: number }, [issuer: string, subject: string]>(
  'SELECT session_key FROM oidc_sessions WHERE issuer = $1 AND subject = $2',
);
export const dropOidcSessions = statement<never>('DELETE FROM oidc_sessions WHERE session_key IN (:list)');
export const dropOidcSessionsOfExpired = statement<never, [now: number]>(
  'DELETE FROM oidc_sessions WHERE session_key IN (SELECT key FROM sessions WHERE expires_at <= $1)',
);

export interface OidcSessionRow {
  session_key: number;
  account_key: number;
  issuer: string;
  subject: string;
  sealed: string;
  refresh_at: number;
}
const sessionColumns = 'session_key, account_key, issuer, subject, sealed, refresh_at';

/** The sessions of an issuer that it must be asked about; those without a refresh token never are. */
export const dueOidcSessions = statement<OidcSessionRow, [issuer: string, now: number, limit: number]>(
  `SELECT ${sessionColumns} FROM oidc_sessions
   WHERE issuer = $1 AND sealed IS NOT NULL AND refresh_at <= $2 ORDER BY refresh_at, session_key LIMIT $3`,
);
/** Changes nothing if another node has begun to ask. */
export const claimOidcRefresh = statement<never, [session: number, former: number, until: number]>(
  'UPDATE oidc_sessions SET refresh_at = $3 WHERE session_key = $1 AND refresh_at = $2',
);
export const noteOidcRefresh = statement<never, [session: number, sealed: string, now: number, refreshAt: number]>(
  'UPDATE oidc_sessions SET sealed = $2, checked_at = $3, refresh_at = $4 WHERE session_key = $1',
);
/** Sessions that no issuer has confirmed since a time, although it could have been asked. */
export const unconfirmedSessions = statement<{ session_key: number }, [before: number, limit: number]>(
  `SELECT session_key FROM oidc_sessions WHERE sealed IS NOT NULL AND checked_at <= $1
   ORDER BY session_key LIMIT $2`,
);

/** The issuer at which a session began; no row if a password began it. */
export const issuerOfSession = statement<{ issuer: string }, [session: number]>(
  'SELECT issuer FROM oidc_sessions WHERE session_key = $1',
);
/** A page of all sealed refresh tokens, after a key. */
export const sealedOidcSessions = statement<OidcSessionRow, [after: number, limit: number]>(
  `SELECT ${sessionColumns} FROM oidc_sessions WHERE sealed IS NOT NULL AND session_key > $1
   ORDER BY session_key LIMIT $2`,
);
/** Changes nothing if the value is no longer `former`. */
export const resealOidcSession = statement<never, [session: number, former: string, sealed: string]>(
  'UPDATE oidc_sessions SET sealed = $3 WHERE session_key = $1 AND sealed = $2',
);

/** Changes nothing if the token was used before. */
export const noteLogout = statement<never, [jtiHash: Uint8Array, expiresAt: number]>(
  'INSERT INTO oidc_logouts (jti_hash, expires_at) VALUES ($1, $2) ON CONFLICT (jti_hash) DO NOTHING',
);
export const dropOldLogouts = statement<never, [now: number]>('DELETE FROM oidc_logouts WHERE expires_at <= $1');
