// The roles of people in the service, and what administrators do with accounts (ROLE-1 …).
import type { AccountRole } from '@parley/protocol';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { accountColumns, type AccountRow } from './accounts.ts';
import { type Awaitable, type Sql, statement } from './sql.ts';

export const setAccountRole = statement<never, [key: number, role: AccountRole]>(
  'UPDATE accounts SET role = $2 WHERE key = $1',
);
/** Owners who can act. */
export const countOwners = statement<{ count: number }>(
  `SELECT count(*) AS count FROM accounts
   WHERE kind = 'human' AND role = 'owner' AND deleted_at IS NULL AND disabled_at IS NULL AND pending = 0`,
);
/** Any account of a person, deleted ones included; the service's own is none. */
export const anyPerson = statement<{ key: number }>(
  `SELECT key FROM accounts WHERE kind = 'human' AND username <> '${RESERVED_WORD}' LIMIT 1`,
);
export const setApproved = statement<never, [key: number]>('UPDATE accounts SET pending = 0 WHERE key = $1');

const personStates = {
  disabled: 'a.disabled_at IS NOT NULL',
  enabled: 'a.disabled_at IS NULL',
  pending: 'a.pending = 1',
  approved: 'a.pending = 0',
} as const;
export type PersonState = keyof typeof personStates;
const allStates = ['disabled', 'enabled', 'pending', 'approved'] as const satisfies readonly PersonState[];

const people = (where: string): string =>
  `SELECT ${accountColumns}
   WHERE a.kind = 'human' AND a.username > $1 AND a.username <> '${RESERVED_WORD}' AND a.deleted_at IS NULL${where}
   ORDER BY a.username LIMIT $2`;
/** Each combination of filters is a statement of its own, so that each finds its index. */
export const peopleStatements = new Map(
  Array.from({ length: 2 ** allStates.length }, (_, bits) => {
    const states = allStates.filter((_state, at) => bits & (1 << at));
    const where = states.map((state) => ` AND ${personStates[state]}`).join('');
    const ofAnyRole = statement<AccountRow, [after: string, limit: number]>(people(where));
    const ofRole = statement<AccountRow, [after: string, limit: number, role: AccountRole]>(
      people(`${where} AND a.role = $3`),
    );
    return [states.join(), { ofAnyRole, ofRole }] as const;
  }),
);
/** A block of people with this role, if one is given, and in all of these states: by username, after a username. */
export function peopleAfter(
  tx: Sql,
  { role, states }: { role: AccountRole | undefined; states: readonly PersonState[] },
  block: readonly [after: string, limit: number],
): Awaitable<AccountRow[]> {
  const found = peopleStatements.get(allStates.filter((state) => states.includes(state)).join());
  if (!found) throw new Error('people have no such filter');
  return role === undefined ? tx.all(found.ofAnyRole, ...block) : tx.all(found.ofRole, ...block, role);
}
/** When one of the sessions of each account was last used. */
export const lastSeenOf = statement<{ account_key: number; last_seen_at: number }>(
  `SELECT account_key, max(last_active_at) AS last_seen_at FROM sessions WHERE account_key IN (:list)
   GROUP BY account_key`,
);

/** The backend whose user an account is. */
export const backendOfUser = statement<{ backend_key: number }, [account: number]>(
  'SELECT backend_key FROM backend_users WHERE account_key = $1',
);

/** Replaces the account's earlier link. */
export const putPasswordLink = statement<
  never,
  [account: number, maker: number, tokenHash: Uint8Array, expiresAt: number]
>(
  `INSERT INTO password_links (account_key, maker_key, token_hash, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_key) DO UPDATE SET maker_key = excluded.maker_key, token_hash = excluded.token_hash,
     expires_at = excluded.expires_at`,
);
export const passwordLink = statement<
  { account_key: number; maker_key: number; expires_at: number },
  [tokenHash: Uint8Array]
>('SELECT account_key, maker_key, expires_at FROM password_links WHERE token_hash = $1');
export const dropPasswordLinkOf = statement<never, [account: number]>(
  'DELETE FROM password_links WHERE account_key = $1',
);
export const dropExpiredPasswordLinks = statement<never, [now: number]>(
  'DELETE FROM password_links WHERE expires_at <= $1',
);

export const setting = statement<{ value: string }, [name: string]>(
  'SELECT value FROM service_settings WHERE name = $1',
);
export const putSetting = statement<never, [name: string, value: string]>(
  `INSERT INTO service_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
