import { limits, type Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chatOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { callerActor } from '../../rendering/accounts.ts';
import { chatByKey, isParticipant } from '../../store/chats.ts';
import { assertMayReact } from '../../messages/may-write.ts';
import { mark, markMessage, messageById, type MessageRow } from '../../store/messages.ts';
import { emitAbout } from '../../messages/message-scopes.ts';
import { isGone } from '../../messages/visibility.ts';
import { countOtherEmoji, deleteReaction, insertReaction, reactionOf } from '../../store/reactions.ts';

// Locks the message's conversation, because reactions are numbered within their message.
const locks: LockRule<Input<'setMessageReaction'>> = ({ input }) => [chatOf(input.message_id)];

export default unit(
  'setMessageReaction',
  { locks, addsData: ({ remove }) => remove !== true },
  async (call, { message_id, emoji, remove, keep }) => {
    const { tx, caller, now } = call;
    const row = await requireReactable(call, message_id);
    const reactor = await callerActor(tx, caller);
    const present = await tx.get(reactionOf, row.key, emoji, caller.key);
    const reaction = (createdAt: number) => ({
      message_id,
      reactor,
      emoji,
      created_at: new Date(createdAt).toISOString(),
    });

    if (present && keep) return reaction(present.created_at);
    if (present) {
      await tx.run(deleteReaction, row.key, emoji, caller.key);
      await emitAbout(call, row, { kind: 'reactionRemoved', params: { message_id, reactor, emoji }, ref: row.key });
      return undefined;
    }
    if (remove) return undefined;
    const chat = await tx.get(chatByKey, row.chat_key);
    if (chat) await assertMayReact(call, chat);
    const others = (await tx.get(countOtherEmoji, row.key, emoji))?.count ?? 0;
    if (others >= limits.emojiPerMessage)
      throw invalid('emoji', `would be more than ${limits.emojiPerMessage} different ones on this message`);
    await tx.run(insertReaction, row.key, emoji, caller.key, now);
    await tx.run(markMessage, row.key, mark.reactions);
    await emitAbout(call, row, { kind: 'reactionAdded', params: reaction(now), ref: row.key });
    return reaction(now);
  },
);

async function requireReactable({ tx, caller }: UnitCall, messageId: string): Promise<MessageRow> {
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!row || (await isGone({ tx }, row))) throw notFound('message');
  if (!(await tx.get(isParticipant, row.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  return row;
}
