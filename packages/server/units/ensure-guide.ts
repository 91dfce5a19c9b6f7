import type { UnitCall } from '../call.ts';
import { RESERVED_NAME } from '../authenticate.ts';
import { accountByName, insertAccount } from '../store/accounts.ts';

export const GUIDE_NAME = `${RESERVED_NAME}:guide`;

/** Makes the built-in public agent `parley:guide` at the first start (ACCT-5). Answers its key. */
export async function ensureGuide({ tx, now }: UnitCall): Promise<number> {
  const known = await tx.get(accountByName, GUIDE_NAME);
  if (known) return known.key;
  const made = await tx.get(insertAccount, GUIDE_NAME, 'agent', 'Parley guide', null, RESERVED_NAME, 1, null, now);
  if (!made) throw new Error('the guide could not be made');
  return made.key;
}
