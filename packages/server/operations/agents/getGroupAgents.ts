import { read } from '../handler.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { agentParticipants } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';

/** An agent without a setting answers every human message, so it is returned as always on (AGENT-1). */
export default read('getGroupAgents', async (call, { chat_id }) => {
  const chat = await requireChat(call, chat_id);
  const rows = await call.tx.all(agentParticipants, chat.key);
  return {
    items: rows.map((row) => ({
      agent: actorOf(row),
      always_on: row.always_on !== 0,
      follows_threads: row.follows_from !== null,
    })),
  };
});
