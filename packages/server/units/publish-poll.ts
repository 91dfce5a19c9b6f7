import { chat } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { publishStale } from '../messages/polls.ts';

/** Publishes the results of a poll whose votes have changed since they were last published (POLL-6). */
export const publishPoll = internalUnit(
  { locks: ({ input }) => [chat(input.chatId)] },
  (call: UnitCall, { messageKey }: { chatId: string; messageKey: number }): Promise<void> =>
    publishStale(call, messageKey),
);
