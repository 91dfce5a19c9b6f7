import type { UnitCall } from '../commits/unit-call.ts';
import { dropDevicesOf, dropOtherDevices } from '../store/device-tokens.ts';
import { sessionByKey } from '../store/sessions.ts';

/** Deletes the account's device tokens, except the calling device's (AUTH-21). */
export async function dropDevicesOfOthers({ tx, caller }: Pick<UnitCall, 'tx' | 'caller'>): Promise<void> {
  const session = caller.sessionKey === null ? undefined : await tx.get(sessionByKey, caller.sessionKey);
  if (session) await tx.run(dropOtherDevices, caller.key, session.id);
  else await tx.run(dropDevicesOf, caller.key);
}
