import { accountByKey } from '../store/accounts.ts';
import { countOwners } from '../store/account-roles.ts';
import type { Sql } from '../store/sql.ts';

/** Whether an account is the only owner of the service, so that nobody is beside or above it. */
export async function isOnlyOwner(tx: Sql, { key }: { key: number }): Promise<boolean> {
  return (await tx.get(accountByKey, key))?.role === 'owner' && ((await tx.get(countOwners))?.count ?? 0) === 1;
}
