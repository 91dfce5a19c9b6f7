import type { Caller } from '../access/call.ts';
import type { AccountRow } from '../store/accounts.ts';

/** An account as the caller of a unit. */
export const callerOf = (row: AccountRow): Caller => ({
  key: row.key,
  ownerKey: row.parent_key ?? row.key,
  username: row.username,
  displayName: row.display_name,
  kind: row.kind,
  role: row.role,
  sessionKey: null,
});
