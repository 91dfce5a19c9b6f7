import { everything } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { isParticipant } from '../../store/chats.ts';
import { takeUse } from '../../store/invites.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { currentView } from '../../conversations/current-view.ts';
import { assertRoom } from '../../conversations/members.ts';
import { findInvite } from '../../conversations/find-invite.ts';
import { noteJoin } from '../../messages/note-join.ts';

/** How long a used-up invite is kept, so that a caller who lost the answer can repeat the call (INVITE-8). */
const KEPT_USED_UP_MS = 3_600_000;

// Locks everything: the input does not name the conversation, only the stored invite does.
export default unitThen(
  'joinChat',
  { locks: everything },
  async (call, { token }) => {
    const { tx, caller, now } = call;
    const { invite, chat, isOpen } = await findInvite(call, token);
    const isIn = (await tx.get(isParticipant, chat.key, caller.key)) !== undefined;
    if (!isIn && (!isOpen || (await hasBlocked(tx, caller.key, invite.creator_key)))) throw notFound('invite');
    if (caller.kind === 'agent') throw forbidden('only its owner can add an agent to a group');
    if (isIn) return chat.key;
    assertRoom(call, chat.participant_count + 1, 'token');
    // Another account may have taken the last use.
    if ((await tx.run(takeUse, invite.key, now + KEPT_USED_UP_MS)) === 0) throw notFound('invite');
    await addParticipants(call, chat, [{ key: caller.key, kind: 'human' }]);
    await noteJoin(call, chat, invite.creator_key);
    return chat.key;
  },
  currentView,
);
