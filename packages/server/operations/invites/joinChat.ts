import { chat as chatLock } from '../../commits/lock-names.ts';
import { everything, joining } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { isParticipant } from '../../store/chats.ts';
import { takeUse } from '../../store/invites.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { currentView } from '../../conversations/current-view.ts';
import { assertRoom } from '../../conversations/members.ts';
import { findInvite, KEPT_USED_UP_MS } from '../../conversations/find-invite.ts';
import { joinPublicChat } from '../../conversations/public-chats.ts';
import { noteJoin } from '../../messages/note-join.ts';

// With a token it locks everything: the input does not name the conversation, only the stored invite does.
export default unitThen(
  'joinChat',
  { locks: ({ input }) => (input.chat_id === undefined ? everything : [chatLock(input.chat_id), joining]) },
  async (call, { token, chat_id }) => {
    const { tx, caller, now } = call;
    if (chat_id !== undefined) return joinPublicChat(call, chat_id);
    if (token === undefined) throw invalid('token', 'or chat_id is required');
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
