import { account } from '../../commits/lock-names.ts';
import { householdOf } from '../../commits/unit-locks.ts';
import { dropScheduled, requireScheduled } from '../../conversations/scheduled.ts';
import { unit } from '../handler.ts';

export default unit(
  'cancelScheduledMessage',
  // Locks the account (what it has scheduled) and the household (its stored bytes).
  { locks: ({ caller }) => [account(caller.key), householdOf(caller)], addsData: false },
  async (call, { chat_id: chatId, scheduled_id: id }) => {
    await dropScheduled(call, await requireScheduled(call, 'message', id, chatId));
    return undefined;
  },
);
