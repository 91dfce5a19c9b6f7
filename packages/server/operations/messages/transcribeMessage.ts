import { requireHuman } from '../../agents/default-agent.ts';
import { ProviderError } from '../../agents/providers/provider.ts';
import { serviceErrorOf } from '../../agents/service-error-of.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { isVisible } from '../../messages/visibility.ts';
import { chatByKey } from '../../store/chats.ts';
import { messageById } from '../../store/messages.ts';
import { messageJson } from '../../rendering/messages.ts';
import { type ReadCall, relay } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Waits for the model; everyone who sees the message gets its transcript with an event (TRANSCRIPT-1). */
export default relay(
  'transcribeMessage',
  { addsData: true },
  async (call, { message_id: messageId }, rooms: Needs<'transcripts'>) => {
    const { key: humanKey } = requireHuman(call.caller);
    const chatId = await chatIdOf(call, messageId);
    try {
      await rooms.transcripts.make({ messageId, chatId, humanKey, agentKey: null });
    } catch (error) {
      throw error instanceof ProviderError ? serviceErrorOf(error) : error;
    }
    // While the model listened, the caller may have left, or the message may have been deleted.
    const row = await call.tx.get(messageById, idBytes(messageId), call.caller.key);
    if (!row || !(await isVisible(call, row))) throw notFound('message');
    return messageJson(call, row);
  },
);

/** The unit checks whether the caller may see the message. */
async function chatIdOf({ tx, caller }: ReadCall, messageId: string): Promise<string> {
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  const chat = row && (await tx.get(chatByKey, row.chat_key));
  if (!chat) throw notFound('message');
  return idText(chat.id);
}
