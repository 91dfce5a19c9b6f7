import type { UnitCall } from '../../call.ts';
import { accountScope } from '../../events/kinds.ts';
import { clearDraft as clear } from '../../store/drafts.ts';

/** Clears the caller's input draft of a chat, and tells their devices if there was one (DRAFT-2). */
export async function clearDraft(call: UnitCall, chatKey: number, chatId: string, origin?: string): Promise<void> {
  const cleared = await call.tx.get(clear, call.caller.key, chatKey, call.now);
  if (!cleared) return;
  call.emit({
    scope: accountScope(call.caller.key),
    kind: 'draftUpdated',
    ref: chatKey,
    params: { conversation_id: chatId, text: '', reply_to_id: null, updated_at: cleared.updated_at, origin },
  });
}
