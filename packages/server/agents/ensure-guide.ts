import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { accountByKey, accountByName, addAccount, type NewAccount, setParent } from '../store/accounts.ts';
import { sessionCount } from '../store/sessions.ts';
import type { Sql } from '../store/sql.ts';
import { moveStored } from '../store/stored-bytes.ts';

export const GUIDE_NAME = `${RESERVED_WORD}:guide`;

/**
 * Creates the service's own account and its built-in agent `parley:guide` at the first start (ACCT-5). An installation
 * from before has the guide without the account. Returns false if a person has the account's name, from before it was
 * reserved: then the guide has no owner.
 */
export const ensureGuide = internalUnit({ locks: everything }, async (call: UnitCall): Promise<boolean> => {
  const { tx } = call;
  const ownKey = await ensure(call, { username: RESERVED_WORD, kind: 'human', displayName: 'Parley' });
  const isOfPerson = await belongsToPerson(tx, ownKey);
  const parentKey = isOfPerson ? null : ownKey;
  const guideKey = await ensure(call, {
    username: GUIDE_NAME,
    kind: 'agent',
    displayName: 'Parley guide',
    ...(parentKey !== null && { parentKey }),
    provider: RESERVED_WORD,
    isPublic: true,
  });
  if (parentKey !== null && (await tx.run(setParent, guideKey, parentKey)) > 0)
    await tx.run(moveStored, guideKey, parentKey);
  return !isOfPerson;
});

/** Nobody can sign in to the service's own account. */
async function belongsToPerson(tx: Sql, key: number): Promise<boolean> {
  const row = await tx.get(accountByKey, key);
  return (row?.password_hash ?? null) !== null || ((await tx.get(sessionCount, key))?.count ?? 0) > 0;
}

async function ensure(call: UnitCall, account: NewAccount): Promise<number> {
  const key = (await call.tx.get(accountByName, account.username))?.key ?? (await addAccount(call, account));
  if (key === null) throw new Error(`the account ${account.username} could not be made`);
  return key;
}
