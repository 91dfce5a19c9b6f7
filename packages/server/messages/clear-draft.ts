import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { clearDraft as clear } from '../store/drafts.ts';

interface Place {
  accountKey: number;
  chatKey: number;
  chatId: string;
  /** The device that cleared the draft, by the name that the device gave itself. */
  origin?: string | undefined;
}

/** Clears an account's input draft of a chat, and notifies its devices if there was one (DRAFT-2). */
export async function clearDraft(call: UnitCall, place: Place): Promise<void> {
  const { accountKey, chatKey, chatId, origin } = place;
  const cleared = await call.tx.get(clear, accountKey, chatKey, call.now);
  if (!cleared) return;
  call.emit({
    scope: accountScope(accountKey),
    kind: 'draftUpdated',
    ref: chatKey,
    params: { conversation_id: chatId, text: '', reply_to_id: null, updated_at: cleared.updated_at, origin },
  });
}
