import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { requireChat } from '../../access/chats.ts';
import { endWebhooksBy } from '../../people/end-webhooks.ts';
import { takeOut } from '../../conversations/members.ts';

// Locks everything: the unit can also end turns of other conversations (KEY-13), so no turn may be claimed meanwhile.
export default unit('leaveChat', { locks: everything, addsData: false }, async (call, { chat_id }) => {
  const { caller } = call;
  const chat = await requireChat(call, chat_id);
  if (chat.kind !== 'group') throw forbidden('you cannot leave a direct chat');
  await endWebhooksBy(call, chat, caller.key);
  await takeOut(call, chat, { account_key: caller.key, kind: caller.kind, role: chat.role });
  return undefined;
});
