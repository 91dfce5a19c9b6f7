import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { buryMessages } from '../messages/bury-messages.ts';
import { chatIsEmpty, messagesLeftIn } from '../store/people.ts';

/** Maximum messages per unit, so that other writes do not wait long. */
const AT_ONCE = 50;

/** Deletes some of the messages in a conversation without readers (PEOPLE-14). */
export const emptyChat = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: { chatKey: number }): Promise<void> => {
    const rows = await call.tx.all(messagesLeftIn, input.chatKey, AT_ONCE);
    await buryMessages(call, input.chatKey, rows);
    if (rows.length < AT_ONCE) await call.tx.run(chatIsEmpty, input.chatKey);
  },
);
