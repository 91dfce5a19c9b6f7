import { everything } from '../../commits/unit-locks.ts';
import { tokenHash } from '../../secrets/tokens.ts';
import { unitThen } from '../handler.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { chatByKey, type ChatRow, isParticipant } from '../../store/chats.ts';
import { inviteByToken, type InviteRow, takeUse } from '../../store/invites.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { currentView } from '../../conversations/current-view.ts';
import { assertRoom } from '../../conversations/members.ts';

/** How long a used-up invite is kept, so that a caller who lost the answer can repeat the call (INVITE-8). */
const KEPT_USED_UP_MS = 3_600_000;

// Locks everything: the input does not name the conversation, only the stored invite does.
export default unitThen(
  'joinChat',
  { locks: everything },
  async (call, { token }) => {
    const { tx, caller, now } = call;
    const invite = await tx.get(inviteByToken, tokenHash(token));
    if (!invite || (invite.expires_at !== null && invite.expires_at <= now)) throw notFound('invite');
    const isIn = (await tx.get(isParticipant, invite.chat_key, caller.key)) !== undefined;
    const chat = await tx.get(chatByKey, invite.chat_key);
    if (!chat || (!isIn && !(await canBeUsed(call, invite, chat)))) throw notFound('invite');
    if (caller.kind === 'agent') throw forbidden('only its owner can add an agent to a group');
    if (isIn) return chat.key;
    assertRoom(call, chat.participant_count + 1, 'token');
    // Another account may have taken the last use.
    if ((await tx.run(takeUse, invite.key, now + KEPT_USED_UP_MS)) === 0) throw notFound('invite');
    await addParticipants(call, chat, [{ key: caller.key, kind: 'human' }]);
    return chat.key;
  },
  currentView,
);

/**
 * Whether the invite can be used. It cannot if it is used up, no human is left in the group, or the caller has blocked
 * its creator; the error is the same for all three (INVITE-7).
 */
async function canBeUsed({ tx, caller }: UnitCall, invite: InviteRow, chat: ChatRow): Promise<boolean> {
  if (invite.max_uses !== null && invite.uses >= invite.max_uses) return false;
  if (chat.participant_count - chat.agent_count === 0) return false;
  return !(await hasBlocked(tx, caller.key, invite.creator_key));
}
