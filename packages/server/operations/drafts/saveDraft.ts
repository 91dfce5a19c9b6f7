import { limits, type Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { invalid, ServiceError } from '../../core/errors.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { requireChat } from '../../store/chats.ts';
import { countOtherDrafts, saveDraft } from '../../store/drafts.ts';
import { clearDraft } from '../../messages/clear-draft.ts';

// Locks the account, whose drafts are counted, and the conversation, so that the account does not leave it meanwhile.
const locks: LockRule<Input<'saveDraft'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

export default unit('saveDraft', { locks }, async (call, input) => {
  const { tx, caller, now } = call;
  const chat = await requireChat(call, input.chat_id);
  const replyTo = input.reply_to_id ?? null;
  if (input.text.trim() === '')
    await clearDraft(call, { accountKey: caller.key, chatKey: chat.key, chatId: input.chat_id, origin: input.origin });
  else {
    const others = (await tx.get(countOtherDrafts, caller.key, chat.key)) ?? { count: 0, bytes: 0 };
    if (others.count >= limits.drafts)
      throw invalid('chat_id', `would have draft ${limits.drafts + 1} of this account`);
    // getDrafts returns all drafts in one answer (DRAFT-6).
    if (others.bytes + Buffer.byteLength(input.text) > limits.draftsBytes)
      throw new ServiceError('too_large', 'the drafts of this account would be too large', { field: 'text' });
    const saved = await tx.get(saveDraft, caller.key, chat.key, input.text, replyTo, now);
    call.emit({
      scope: accountScope(caller.key),
      kind: 'draftUpdated',
      ref: chat.key,
      params: {
        conversation_id: input.chat_id,
        text: input.text,
        reply_to_id: replyTo,
        updated_at: saved?.updated_at ?? now,
        origin: input.origin,
      },
    });
  }
  return { ok: true };
});
