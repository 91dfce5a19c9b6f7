import type { Call } from '../../access/call.ts';
import { requireChat } from '../../access/chats.ts';
import { accountNamed } from '../../access/known-agents.ts';
import { notePlace, requirePerson } from '../../agents/notes.ts';
import { notFound } from '../../core/errors.ts';

/** The place whose notes a person names: the person takes part (403), and so does the agent (404). */
export async function requirePlace(
  call: Pick<Call, 'tx' | 'caller'>,
  { chat_id, agent_username }: { chat_id: string; agent_username: string },
) {
  requirePerson(call);
  const { tx, caller } = call;
  const chat = await requireChat(call, chat_id);
  const agent = await accountNamed(call, agent_username);
  const place =
    agent?.kind === 'agent'
      ? await notePlace(tx, { chatKey: chat.key, agentKey: agent.key, personKey: caller.key })
      : undefined;
  if (!agent || !place) throw notFound('agent');
  return { agent, place };
}
