import { read } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { CALLS_ALLOWED } from '../../agents/tool-turns/call-bounds.ts';
import { ownToolsOf } from '../../agents/load-run-config.ts';
import { ownerName, payingFor } from '../../agents/owner-key.ts';
import { assertMayWrite } from '../../messages/may-write.ts';
import { type Fired, findFirings } from '../../messages/firings.ts';
import { assertLength } from '../../messages/insert-message.ts';
import { requireQuoted, requireTimeline } from '../../messages/timeline.ts';
import { isGuide } from '../../store/accounts.ts';
import type { Caller } from '../../access/call.ts';
import type { OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { ownerConfig } from '../../store/bot-config.ts';
import type { Sql } from '../../store/sql.ts';
import { previewedOwnTools } from '../../own-tools/own-tools.ts';
import { previewedTools } from '../../tools/previewed-tools.ts';

/** Refuses what sendMessage would refuse, and finds the agents with the same function (PREVIEW-1). */
export default read('previewDispatch', async (call, input) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, input.chat_id);
  if (caller.kind === 'agent') throw forbidden('only people may do this');
  assertLength(caller.kind, input.text);
  const timeline = await requireTimeline(call, chat, input);
  const quoted = await requireQuoted(call, chat, input.reply_to_message_id);
  await assertMayWrite(call, chat);
  // A read waits for no other message.
  const firing = { tx, now: call.now, settings: call.settings, inTurn: () => {} };
  const sent = { chat, timeline, sender: caller, text: input.text, isService: false, quoted };
  const { agents } = await findFirings(firing, sent);
  const items = [];
  for (const agent of agents) {
    const { username, display_name, reason } = agent;
    const paying = await payingFor(tx, agent, caller);
    const tools = await toolsOf(tx, agent);
    items.push({ username, display_name, reason, ...paying, ...chainOf(agent, caller, chat), ...tools });
  }
  return { agents: items };
});

/** The tools that the agent may use, and how many calls it makes before it asks (PREVIEW-7). */
async function toolsOf(tx: Sql, { account_key: key, agent_provider }: Fired) {
  if (agent_provider === null) return {};
  const config = await tx.get(ownerConfig, key);
  const own = previewedOwnTools(await ownToolsOf(tx, key));
  if (config?.has_tools !== 1 && own.length === 0) return {};
  return { tools: [...own, ...(await previewedTools(tx, key))], budget: { calls: CALLS_ALLOWED } };
}

/** For whom the agents run that this one's reply mentions (PREVIEW-6): nobody, if there are none or it is the guide. */
function chainOf(agent: Fired, caller: Caller, { agent_count }: OwnChatRow): { chain_for?: string } {
  if (agent_count < 2 || isGuide(agent)) return {};
  return { chain_for: agent.isAsked ? caller.username : ownerName(agent.username) };
}
