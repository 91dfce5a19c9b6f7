import { type ReadCall, relay } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { accountNamed } from '../../access/known-agents.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { callerActor } from '../../rendering/accounts.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { isParticipant, type OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { assertMayReact } from '../../messages/may-write.ts';

export default relay(
  'queryInline',
  { addsData: false, waits: true },
  async (call, { chat_id, bot_username, query = '' }, rooms: Needs<'sockets' | 'peers' | 'inlineQueries'>) => {
    const { caller } = call;
    const chat = await requireChat(call, chat_id);
    const bot = await requireParticipantAgent(call, chat, bot_username);
    await assertMayReact(call, chat);
    // If the bot's owner has blocked the caller, the bot does not work for the caller (BLOCK-10).
    if (await hasBlocked(call.tx, bot.key, caller.key)) return { results: [] };
    // Agents that the service runs are never live, so they answer no queries.
    if (!rooms.sockets.live.isLive(bot.key) && !(await rooms.peers.findLive(bot.key))) return { results: [] };
    const from = await callerActor(call.tx, caller);
    const results = await rooms.inlineQueries.ask({
      askerKey: caller.key,
      botKey: bot.key,
      chatKey: chat.key,
      chatId: chat_id,
      text: query,
      from,
    });
    return { results };
  },
);

/** The agent; throws if it does not exist (404), is not an agent (400) or does not take part (404), as in AGENT-2. */
async function requireParticipantAgent(call: ReadCall, chat: OwnChatRow, username: string): Promise<AccountRow> {
  const row = await accountNamed(call, username);
  if (!row) throw notFound('agent');
  if (row.kind !== 'agent') throw invalid('bot_username', 'is not an agent');
  if (!(await call.tx.get(isParticipant, chat.key, row.key))) throw notFound('agent');
  return row;
}
