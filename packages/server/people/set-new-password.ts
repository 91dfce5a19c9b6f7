import type { UnitCall } from '../commits/unit-call.ts';
import { setPassword } from '../store/accounts.ts';
import { dropPasswordLinkOf } from '../store/account-roles.ts';

/** Nothing else sets a password of an account that exists: a link for another one ends with it (ENTER-9). */
export async function setNewPassword({ tx }: Pick<UnitCall, 'tx'>, accountKey: number, hash: string): Promise<void> {
  await tx.run(setPassword, accountKey, hash);
  await tx.run(dropPasswordLinkOf, accountKey);
}
