import type { AccountRole, Visibility } from '@parley/protocol';
import { folded } from '@parley/protocol/folded';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { type Sql, statement } from './sql.ts';

export interface AccountRow {
  key: number;
  username: string;
  kind: 'human' | 'agent';
  display_name: string;
  parent_key: number | null;
  parent_username: string | null;
  agent_provider: string | null;
  is_public: number;
  is_private: number;
  /** In the service; of an agent what its owner's role leaves to it (ROLE-3). */
  role: AccountRole;
  password_hash: string | null;
  avatar_url: string | null;
  bio: string | null;
  created_at: number;
  deleted_at: number | null;
  /** 1 while the account waits for approval (ENTER-6). */
  pending: number;
  /** When the account or its owner was disabled, or its owner deleted; null if none of these. */
  disabled_at: number | null;
}

/** `agent_provider` of the accounts that send the messages of webhooks: no model and no daemon stands behind them. */
export const WEBHOOK_PROVIDER = 'webhook';
export const isWebhook = ({ agent_provider }: Pick<AccountRow, 'agent_provider'>): boolean =>
  agent_provider === WEBHOOK_PROVIDER;

const fields = `a.key, a.username, a.kind, a.display_name, a.parent_key, p.username AS parent_username, a.agent_provider,
  a.is_public, a.is_private, a.pending,
  CASE WHEN a.parent_key IS NULL THEN a.role WHEN p.role = 'guest' THEN 'guest' ELSE 'member' END AS role, a.password_hash, a.avatar_url, a.bio, a.created_at, a.deleted_at,
  COALESCE(a.disabled_at, p.disabled_at, p.deleted_at) AS disabled_at`;
/** The columns of an AccountRow, from `accounts a LEFT JOIN accounts p ON p.key = a.parent_key`. */
export const accountFields = fields;
/** An AccountRow, from `accounts a`. */
export const accountColumns = `${fields} FROM accounts a LEFT JOIN accounts p ON p.key = a.parent_key`;

export const accountByKey = statement<AccountRow, [key: number]>(`SELECT ${accountColumns} WHERE a.key = $1`);
export const accountsByKeys = statement<AccountRow>(`SELECT ${accountColumns} WHERE a.key IN (:list)`);
export const accountByName = statement<AccountRow, [username: string]>(
  `SELECT ${accountColumns} WHERE a.username = $1 AND a.deleted_at IS NULL`,
);
/** The same, with the backend whose user the account is, or null. */
export const accountAndBackendByName = statement<AccountRow & { backend_key: number | null }, [username: string]>(
  `SELECT ${fields}, u.backend_key
   FROM accounts a LEFT JOIN accounts p ON p.key = a.parent_key LEFT JOIN backend_users u ON u.account_key = a.key
   WHERE a.username = $1 AND a.deleted_at IS NULL`,
);
/** The account of a session, with the columns that show whether the session has expired. */
export const accountBySession = statement<
  AccountRow & {
    session_key: number;
    expires_at: number;
    last_active_at: number;
    backend_key: number | null;
    /** The setting `second_factor`; null if it was never set. */
    factor_required: string | null;
  },
  [tokenHash: Uint8Array]
>(
  `SELECT ${fields}, s.key AS session_key, s.expires_at, s.last_active_at, s.backend_key,
     (SELECT value FROM service_settings WHERE name = 'second_factor') AS factor_required
   FROM sessions s JOIN accounts a ON a.key = s.account_key LEFT JOIN accounts p ON p.key = a.parent_key
   WHERE s.token_hash = $1`,
);
export const accountByBotToken = statement<AccountRow, [tokenHash: Uint8Array]>(
  `SELECT ${fields}
   FROM bots b JOIN accounts a ON a.key = b.account_key LEFT JOIN accounts p ON p.key = a.parent_key
   WHERE b.token_hash = $1`,
);
export const accountsByNames = statement<AccountRow>(
  `SELECT ${accountColumns} WHERE a.username IN (:list) AND a.deleted_at IS NULL`,
);
/**
 * Users of a backend and their agents, webhooks, accounts that wait for approval, and the service's own account, which no
 * search of all accounts finds (TOKEN-9, WEBHOOK-6, ENTER-6, ACCT-5).
 */
const isUnlisted = `(COALESCE(a.agent_provider, '') = '${WEBHOOK_PROVIDER}' OR a.username = '${RESERVED_WORD}'
  OR COALESCE(p.pending, a.pending) = 1 OR EXISTS (SELECT 1 FROM backend_users u WHERE u.account_key IN (a.key, a.parent_key)))`;
export const listedAccountsByNames = statement<AccountRow>(
  `SELECT ${accountColumns} WHERE a.username IN (:list) AND a.deleted_at IS NULL AND NOT ${isUnlisted}`,
);
/** Accounts whose username begins with a text, by username; `from` is the text, or the end of the last page. */
export const accountsByUsername = statement<
  AccountRow & { is_listed: number },
  [from: string, to: string, after: string, limit: number]
>(
  `SELECT CASE WHEN ${isUnlisted} THEN 0 ELSE 1 END AS is_listed, ${accountColumns} WHERE a.username >= $1 AND a.username < $2 AND a.username > $3 AND a.deleted_at IS NULL
   ORDER BY a.username LIMIT $4`,
);
/**
 * Accounts whose display name begins with a text, by that name. Reads only the index, so deleted accounts are included.
 */
export const namesByDisplayName = statement<
  { search_name: string; username: string },
  [afterName: string, afterUsername: string, to: string, limit: number]
>(
  // A single lower bound: with two, SQLite starts at the smaller one.
  `SELECT search_name, username FROM accounts WHERE (search_name, username) > ($1, $2) AND search_name < $3
   ORDER BY search_name, username LIMIT $4`,
);
/** The names that a search compares, for a list of account keys. */
export const namesByKeys = statement<{ key: number; username: string; search_name: string }>(
  'SELECT key, username, search_name FROM accounts WHERE key IN (:list) AND deleted_at IS NULL',
);
/** A name, or the beginning of one, in the form that is stored and compared. */
/** The same, of those that are agents with which an account may start a chat if it shares a conversation with them. */
export const namesOfUsableByKeys = statement<{ key: number; username: string; search_name: string }, [caller: number]>(
  `SELECT key, username, search_name FROM accounts WHERE key IN (:list) AND deleted_at IS NULL AND kind = 'agent'
   AND COALESCE(agent_provider, '') <> '${WEBHOOK_PROVIDER}' AND (is_private = 0 OR is_public = 1 OR parent_key = $1)`,
);
/** Public agents that a search of all accounts finds, by key, after a key. */
export const publicAgents = statement<{ key: number }, [after: number, limit: number]>(
  `SELECT a.key FROM accounts a LEFT JOIN accounts p ON p.key = a.parent_key
   WHERE a.is_public = 1 AND a.key > $1 AND a.deleted_at IS NULL AND NOT ${isUnlisted} ORDER BY a.key LIMIT $2`,
);
export const searchName = (text: string): string => folded(text) || text;
/** An upper bound of all texts that begin with `prefix`, in the order of code points. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`;
export const agentsOf = statement<AccountRow, [parent: number]>(
  `SELECT ${accountColumns} WHERE a.parent_key = $1 AND a.deleted_at IS NULL ORDER BY a.key`,
);
/** The agents of an owner, deleted ones included. */
export const agentsEverOf = statement<AccountRow, [parent: number]>(
  `SELECT ${accountColumns} WHERE a.parent_key = $1 ORDER BY a.key`,
);
/** The default agent of a provider, which every person has from the start; see isDefaultAgent. */
export const defaultAgent = statement<AccountRow, [parent: number, provider: string]>(
  `SELECT ${accountColumns} WHERE a.parent_key = $1 AND a.agent_provider = $2 AND a.username = p.username || ':' || $2
     AND a.deleted_at IS NULL`,
);
/** Agents that a person has made with createAgent; the provider's name is the slug of the default ones. */
export const countCustomAgents = statement<{ count: number }, [parent: number]>(
  `SELECT count(*) AS count FROM accounts a JOIN accounts p ON p.key = a.parent_key
   WHERE a.parent_key = $1 AND a.agent_provider <> '${WEBHOOK_PROVIDER}' AND a.username <> p.username || ':' || a.agent_provider
     AND a.deleted_at IS NULL`,
);
/** Whether an agent is one of the two that every person has: their slugs are the providers' names. */
export const isDefaultAgent = ({
  username,
  agent_provider,
}: Pick<AccountRow, 'username' | 'agent_provider'>): boolean =>
  agent_provider !== null && username.endsWith(`:${agent_provider}`);

/** The account of the service itself, which owns the guide: nobody can sign in to it or write to it (ACCT-5). */
export const isService = ({ username }: Pick<AccountRow, 'username'>): boolean => username === RESERVED_WORD;

/** The built-in guide: nobody pays for it, and no limit or setting of an owner applies to it (GUIDE-7). */
export const isGuide = ({ agent_provider }: Pick<AccountRow, 'agent_provider'>): boolean =>
  agent_provider === RESERVED_WORD;

/** The house's agent, which the service's own account owns: the operator pays for it (HOUSE-1). */
export const HOUSE_NAME = `${RESERVED_WORD}:house`;
export const isHouse = ({ username }: Pick<AccountRow, 'username'>): boolean => username === HOUSE_NAME;

/** Stores the provider of an agent; only that of the house's agent ever changes. */
export const setProvider = statement<never, [key: number, provider: string]>(
  'UPDATE accounts SET agent_provider = $2 WHERE key = $1',
);

/** The owner whose agents' turns share a limit (TURN-18); 0 for the guide. */
export const turnOwner = (agent: Pick<AccountRow, 'agent_provider' | 'parent_key'>): number =>
  isGuide(agent) ? 0 : (agent.parent_key ?? 0);

/** Changes nothing if the account has an owner. */
export const setParent = statement<never, [key: number, parent: number]>(
  'UPDATE accounts SET parent_key = $2 WHERE key = $1 AND parent_key IS NULL',
);

export interface NewAccount {
  username: string;
  kind: 'human' | 'agent';
  displayName: string;
  parentKey?: number;
  provider?: string;
  isPublic?: boolean;
  passwordHash?: string | null;
  role?: AccountRole;
  isPending?: boolean;
}

const insertAccount = statement<
  { key: number },
  [
    username: string,
    kind: 'human' | 'agent',
    displayName: string,
    searchName: string,
    parent: number | null,
    provider: string | null,
    isPublic: number,
    passwordHash: string | null,
    now: number,
    role: AccountRole,
    pending: number,
  ]
>(
  `INSERT INTO accounts (username, kind, display_name, search_name, parent_key, agent_provider, is_public, password_hash, created_at, role, pending)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (username) DO NOTHING RETURNING key`,
);

/** Returns the key of the new account, or null if the name is taken. */
export async function addAccount({ tx, now }: { tx: Sql; now: number }, account: NewAccount): Promise<number | null> {
  const {
    username,
    kind,
    displayName,
    parentKey = null,
    provider = null,
    isPublic = false,
    passwordHash = null,
    role = 'member',
    isPending = false,
  } = account;
  const made = await tx.get(
    insertAccount,
    username,
    kind,
    displayName,
    searchName(displayName),
    parentKey,
    provider,
    Number(isPublic),
    passwordHash,
    now,
    role,
    Number(isPending),
  );
  return made?.key ?? null;
}

export const setDisplayName = statement<never, [key: number, displayName: string, searchName: string]>(
  'UPDATE accounts SET display_name = $2, search_name = $3 WHERE key = $1',
);
export const setBio = statement<never, [key: number, bio: string | null]>(
  'UPDATE accounts SET bio = $2 WHERE key = $1',
);
export const setAvatarUrl = statement<never, [key: number, url: string | null]>(
  'UPDATE accounts SET avatar_url = $2 WHERE key = $1',
);
export const storeVisibility = statement<never, [key: number, isPublic: number, isPrivate: number]>(
  'UPDATE accounts SET is_public = $2, is_private = $3 WHERE key = $1',
);
/** Who may start a direct chat with an agent. */
export const visibilityOf = ({ is_public, is_private }: Pick<AccountRow, 'is_public' | 'is_private'>): Visibility =>
  is_public === 1 ? 'public' : is_private === 1 ? 'private' : 'groups';
export const markAccountDeleted = statement<never, [key: number, now: number]>(
  'UPDATE accounts SET deleted_at = $2 WHERE key = $1',
);
/** Deletes the avatar and the bio. */
export const dropProfile = statement<never, [key: number]>(
  'UPDATE accounts SET avatar_url = NULL, bio = NULL WHERE key = $1',
);
/**
 * Erases a person (PEOPLE-9). Only the username stays, so that it is not given to another account; no search finds it.
 * One that was refused stays `pending` (ENTER-7).
 */
export const forgetPerson = statement<never, [key: number, displayName: string]>(
  `UPDATE accounts SET display_name = $2, search_name = '', password_hash = NULL, avatar_url = NULL, bio = NULL,
     role = 'member'
   WHERE key = $1`,
);
/** Includes deleted people, whose messages still exist, but for those who were refused and never wrote one. */
export const accountOrTombstone = statement<AccountRow, [username: string]>(
  `SELECT ${accountColumns} WHERE a.username = $1 AND (a.deleted_at IS NULL OR (a.kind = 'human' AND a.pending = 0))`,
);

/** The account that has or had the username; usernames are never reused. */
export const everByName = statement<AccountRow, [username: string]>(`SELECT ${accountColumns} WHERE a.username = $1`);

export const setDisabled = statement<never, [key: number, disabledAt: number | null]>(
  'UPDATE accounts SET disabled_at = $2 WHERE key = $1',
);
export const setPassword = statement<never, [key: number, passwordHash: string]>(
  'UPDATE accounts SET password_hash = $2 WHERE key = $1',
);
