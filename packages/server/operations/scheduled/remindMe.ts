import type { Input } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { chatAsItIsOf, type LockRule } from '../../commits/unit-locks.ts';
import { setReminder } from '../../conversations/reminders.ts';
import { reminderRecord } from '../../conversations/scheduled.ts';
import { idBytes } from '../../core/ids.ts';
import { messageById } from '../../store/messages.ts';
import { unit } from '../handler.ts';

// Locks the account, whose reminders are counted, and the message's conversation, so that it stays visible.
const locks: LockRule<Input<'remindMe'>> = ({ caller, input }) => [account(caller.key), chatAsItIsOf(input.message_id)];

export default unit('remindMe', { locks }, async (call, { message_id: messageId, remind_at: remindAt }) => {
  const message = await call.tx.get(messageById, idBytes(messageId), call.caller.key);
  return reminderRecord(await setReminder(call, message, { remindAt }));
});
