import type { UnitCall } from '../commits/unit-call.ts';
import {
  dropOldestShown,
  dropShown,
  putBadge,
  putShown,
  type ShownBadge,
  type ShownPush,
} from '../store/shown-pushes.ts';

/** Stores what devices show now, and requests take-backs of what they must no longer show. */
export async function storeShown(
  { tx, intend }: Pick<UnitCall, 'tx' | 'intend'>,
  shown: readonly ShownPush[],
  badges: readonly ShownBadge[],
): Promise<void> {
  const accounts = new Set<number>();
  for (const { tokenKey, accountKey, chatKey, messageKey } of shown)
    if (messageKey === null) await tx.run(dropShown, tokenKey, chatKey);
    else if ((await tx.get(putShown, tokenKey, accountKey, messageKey))?.is_due === 1) accounts.add(accountKey);
  for (const tokenKey of new Set(shown.map((push) => push.tokenKey))) await tx.run(dropOldestShown, tokenKey);
  for (const { tokenKey, badge, asked, isOld } of badges) {
    const stored = await tx.get(putBadge, tokenKey, badge, asked, isOld ? 1 : 0);
    if (stored?.is_asked === 1) accounts.add(stored.account_key);
  }
  if (accounts.size > 0) intend({ type: 'takeBack', accountKeys: [...accounts] });
}
