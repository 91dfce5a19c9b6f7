import { requireManagedGroup } from '../../access/chats.ts';
import { webhookRecord } from '../../rendering/records.ts';
import { webhooksIn } from '../../store/webhooks.ts';
import { read } from '../handler.ts';

export default read('getWebhooks', async (call, { chat_id }) => {
  const chat = await requireManagedGroup(call, chat_id);
  return { items: (await call.tx.all(webhooksIn, chat.key)).map(webhookRecord) };
});
