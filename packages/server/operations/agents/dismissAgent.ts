import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { requireTimeline } from '../../messages/timeline.ts';
import { accountByName } from '../../store/accounts.ts';
import { participant } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { endFollowing } from '../../store/turns.ts';

/** Every human may dismiss an agent, as every human may ask it again (AGENT-7). */
export default unit('dismissAgent', { locks: inChat }, async (call, input) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, input.chat_id);
  const agent = await tx.get(accountByName, input.agent_username);
  const takesPart = agent?.kind === 'agent' && (await tx.get(participant, chat.key, agent.key));
  if (!agent || !takesPart) throw notFound('agent');
  const { threadKey } = await requireTimeline(call, chat, input);
  if (caller.kind === 'agent') throw forbidden('only people may do this');
  await tx.run(endFollowing, threadKey, agent.key);
  return undefined;
});
