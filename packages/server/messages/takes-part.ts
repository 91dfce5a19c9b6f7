import type { UnitCall } from '../commits/unit-call.ts';
import { noteTakesPart } from '../store/chats.ts';

/** Notes that the caller, whom somebody else has added, has written: the others may know when it is online (PRESENCE-3). */
export async function takesPart(
  call: Pick<UnitCall, 'tx' | 'caller' | 'inTurn'>,
  { key }: { key: number },
): Promise<void> {
  // The messages before this one may have noted it.
  await call.inTurn();
  await call.tx.run(noteTakesPart, key, call.caller.key);
}
