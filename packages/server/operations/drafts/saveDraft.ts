import { limits, type Input } from '@parley/protocol';
import { account, chatAsItIs } from '../../commits/lock-names.ts';
import type { LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { invalid, ServiceError } from '../../core/errors.ts';
import { requireChat } from '../../access/chats.ts';
import { countOtherDrafts } from '../../store/drafts.ts';
import { clearDraft, saveDraft } from '../../messages/input-drafts.ts';
import { requireTimeline } from '../../messages/timeline.ts';

// Locks the account, whose drafts are counted, and the conversation, so that the account does not leave it meanwhile.
const locks: LockRule<Input<'saveDraft'>> = ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)];

export default unit('saveDraft', { locks, addsData: ({ text }) => text.trim() !== '' }, async (call, input) => {
  const { tx, caller } = call;
  const { chat_id: chatId, channel_id: channelId, thread_root_id: threadRootId, text, origin } = input;
  const chat = await requireChat(call, chatId);
  const timeline = await requireTimeline(call, chat, input);
  const place = { accountKey: caller.key, chatKey: chat.key, chatId, timeline, channelId, threadRootId, origin };
  if (text.trim() === '') await clearDraft(call, place);
  else {
    const { channelKey, threadKey } = timeline;
    const others = await tx.get(countOtherDrafts, caller.key, chat.key, channelKey, threadKey);
    const { count, bytes } = others ?? { count: 0, bytes: 0 };
    if (count >= limits.drafts) throw invalid('chat_id', `would have draft ${limits.drafts + 1} of this account`);
    // getDrafts returns all drafts in one answer (DRAFT-6).
    if (bytes + Buffer.byteLength(text) > limits.draftsBytes)
      throw new ServiceError('too_large', 'the drafts of this account would be too large', { field: 'text' });
    await saveDraft(call, place, { text, replyTo: input.reply_to_id ?? null });
  }
  return { ok: true };
});
