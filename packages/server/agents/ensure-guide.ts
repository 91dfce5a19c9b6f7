import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { RESERVED_WORD } from '../rules/reserved-names.ts';
import { accountByName, addAccount, type NewAccount, setParent } from '../store/accounts.ts';
import { moveStored } from '../store/stored-bytes.ts';

export const GUIDE_NAME = `${RESERVED_WORD}:guide`;

/**
 * Creates the service's own account and its built-in agent `parley:guide` at the first start (ACCT-5). An installation
 * from before has the guide without the account. Returns the guide's key.
 */
export const ensureGuide = internalUnit({ locks: everything }, async (call: UnitCall): Promise<number> => {
  const { tx } = call;
  const parentKey = await ensure(call, { username: RESERVED_WORD, kind: 'human', displayName: 'Parley' });
  const guideKey = await ensure(call, {
    username: GUIDE_NAME,
    kind: 'agent',
    displayName: 'Parley guide',
    parentKey,
    provider: RESERVED_WORD,
    isPublic: true,
  });
  if ((await tx.run(setParent, guideKey, parentKey)) > 0) await tx.run(moveStored, guideKey, parentKey);
  return guideKey;
});

async function ensure(call: UnitCall, account: NewAccount): Promise<number> {
  const key = (await call.tx.get(accountByName, account.username))?.key ?? (await addAccount(call, account));
  if (key === null) throw new Error(`the account ${account.username} could not be made`);
  return key;
}
