import { type BotCommand, limits } from '@parley/protocol';
import { actorOf } from '../../rendering/accounts.ts';
import { commandsOfChat } from '../../store/bot-config.ts';
import { requireChat } from '../../access/chats.ts';
import { read } from '../handler.ts';

export default read('getBotCommands', async (call, { chat_id }) => {
  const chat = await requireChat(call, chat_id);
  const rows = await call.tx.all(commandsOfChat, chat.key, limits.botsWithCommands);
  // Stored as setBotCommands has parsed them.
  return { items: rows.map((row) => ({ bot: actorOf(row), commands: JSON.parse(row.commands) as BotCommand[] })) };
});
