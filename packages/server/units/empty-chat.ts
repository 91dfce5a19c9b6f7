import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { buryMessages } from '../messages/bury-messages.ts';
import { chatIsEmpty, messagesLeftIn } from '../store/people.ts';

/** So many at once: nobody else's writes wait long for it. */
const AT_ONCE = 50;

/** Deletes some of the messages in a conversation that nobody reads any more (PEOPLE-14). */
export const emptyChat = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: { chatKey: number }): Promise<void> => {
    const rows = await call.tx.all(messagesLeftIn, input.chatKey, AT_ONCE);
    await buryMessages(call, input.chatKey, rows);
    if (rows.length < AT_ONCE) await call.tx.run(chatIsEmpty, input.chatKey);
  },
);
