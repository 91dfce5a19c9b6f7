import { invalid, notFound } from '../core/errors.ts';
import { accountByName, type AccountRow, isService } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';

/** The person that an operator has named. */
export async function requireHuman(tx: Sql, username: string): Promise<AccountRow> {
  const account = await tx.get(accountByName, username);
  if (!account) throw notFound(`account ${username}`);
  if (account.kind !== 'human') throw invalid('NAME', 'is an agent; its owner has the sessions and the password');
  if (isService(account)) throw invalid('NAME', 'is the account of the service itself');
  return account;
}
