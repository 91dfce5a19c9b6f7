import { locksToSendAlone } from '../../conversations/send-message.ts';
import { requireScheduled, sendScheduled } from '../../conversations/scheduled.ts';
import { unit } from '../handler.ts';

export default unit(
  'sendScheduledMessage',
  { locks: locksToSendAlone },
  async (call, { chat_id: chatId, scheduled_id: id }) =>
    sendScheduled(call, await requireScheduled(call, 'message', id, chatId)),
);
