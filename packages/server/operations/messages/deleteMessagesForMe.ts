import type { Input } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { chatAsItIsOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { idBytes } from '../../core/ids.ts';
import { hideMessage, messageById, recordOf } from '../../store/messages.ts';
import { dropItem } from '../../store/inbox.ts';
import { takeBackOwn } from '../../push/take-back.ts';
import { announceHidden } from '../../conversations/announce.ts';
import { isVisible } from '../../messages/visibility.ts';

// Locks the account (hidden rows, tokens, badges), and the conversations, whose unread messages are counted.
const locks: LockRule<Input<'deleteMessagesForMe'>> = ({ caller, input }) => [
  account(caller.key),
  ...input.message_ids.map(chatAsItIsOf),
];

export default unit('deleteMessagesForMe', { locks, addsData: false }, async (call, input) => {
  const ids: string[] = [];
  const chatKeys = new Set<number>();
  const messageKeys: number[] = [];
  for (const id of new Set(input.message_ids)) {
    const row = await call.tx.get(messageById, idBytes(id), call.caller.key);
    if (!row || !(await isVisible(call, row))) continue;
    await call.tx.run(hideMessage, call.caller.key, row.key);
    await call.tx.run(dropItem, call.caller.key, row.key);
    ids.push(recordOf(row).id);
    chatKeys.add(row.chat_key);
    messageKeys.push(row.key);
  }
  for (const chatKey of chatKeys) {
    await announceHidden(call, chatKey);
    await takeBackOwn(call, chatKey, call.caller.key, call.caller.sessionKey, { messageKeys });
  }
  return { ids };
});
