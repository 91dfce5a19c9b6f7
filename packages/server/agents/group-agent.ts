import type { Call } from '../access/call.ts';
import { forbidden, invalid, notFound } from '../core/errors.ts';
import { type AccountRow, isWebhook } from '../store/accounts.ts';
import { type OwnChatRow, participant } from '../store/chats.ts';
import { requireChat } from '../access/chats.ts';
import { accountNamed } from '../access/known-agents.ts';

interface GroupAgent {
  chat: OwnChatRow;
  agent: AccountRow;
  isThere: boolean;
}

/**
 * Finds a group and the caller's own agent (AGENT-2). Checks in this order: the conversation exists, the caller takes
 * part, the account exists, is an agent and belongs to the caller, the conversation is a group.
 */
export async function requireOwnGroupAgent(
  call: Pick<Call, 'tx' | 'caller'>,
  input: { chat_id: string; agent_username: string },
  { isThere }: { isThere: 'required' | 'optional' },
): Promise<GroupAgent> {
  const { tx, caller } = call;
  const chat = await requireChat(call, input.chat_id);
  const agent = await accountNamed(call, input.agent_username);
  if (!agent) throw notFound('agent');
  if (agent.kind !== 'agent' || isWebhook(agent)) throw invalid('agent_username', 'is not an agent');
  const found = (await tx.get(participant, chat.key, agent.key)) !== undefined;
  if (isThere === 'required' && !found) throw notFound('agent');
  if (agent.parent_key !== caller.key) throw forbidden('only the owner of an agent may do this');
  if (chat.kind !== 'group') throw invalid('chat_id', 'is not a group');
  return { chat, agent, isThere: found };
}
