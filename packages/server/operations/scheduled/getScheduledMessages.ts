import { scheduledRecord } from '../../conversations/scheduled.ts';
import { idText } from '../../core/ids.ts';
import { scheduledOf } from '../../store/scheduled.ts';
import { read } from '../handler.ts';

export default read('getScheduledMessages', async ({ tx, caller }, { chat_id: chatId }) => {
  const rows = await tx.all(scheduledOf, caller.key, 'message');
  return {
    items: rows.filter((row) => chatId === undefined || idText(row.chat_id) === chatId).map(scheduledRecord),
  };
});
