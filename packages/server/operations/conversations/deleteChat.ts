import { everything } from '../../commits/unit-locks.ts';
import { removeParticipant } from '../../conversations/remove-participant.ts';
import { forbidden } from '../../core/errors.ts';
import { endSeparateChat, participantsOf } from '../../store/chats.ts';
import { requireSeparateChat } from '../../access/chats.ts';
import { dropScheduled } from '../../conversations/scheduled.ts';
import { planEmptying } from '../../store/people.ts';
import { scheduledIn } from '../../store/scheduled.ts';
import { unit } from '../handler.ts';

/**
 * Removes human and agent from a separate chat, which is emptied after the commit (NEWCHAT-7). Locks everything, as
 * leaveChat does.
 */
export default unit('deleteChat', { locks: everything, addsData: false }, async (call, { chat_id }) => {
  const { tx, caller } = call;
  const chat = await requireSeparateChat(call, chat_id);
  if (caller.kind === 'agent') throw forbidden('only its human can delete this chat');
  await tx.run(endSeparateChat, chat.key);
  for (const row of await tx.all(scheduledIn, caller.key, chat.key)) await dropScheduled(call, row);
  // First the human, whose devices then receive nothing more of it than that it is gone.
  const members = (await tx.all(participantsOf, chat.key)).toSorted((one) => (one.kind === 'human' ? -1 : 1));
  for (const { account_key: key, kind } of members) await removeParticipant(call, chat, { key, kind });
  await tx.run(planEmptying, chat.key);
  return undefined;
});
