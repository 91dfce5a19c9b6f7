import { unit, type UnitCall } from '../../call.ts';
import { type AccountRow, markAccountDeleted } from '../../store/accounts.ts';
import { chatByKey, chatKeysOf } from '../../store/chats.ts';
import { deleteBot as removeBot } from '../../store/sessions.ts';
import { openStreamsOfChat } from '../../store/turns.ts';
import { removeSettings } from '../bot-config/remove-settings.ts';
import { endReplies } from '../conversations/end-replies.ts';
import { removeParticipant } from '../conversations/remove-participant.ts';
import { requireOwnBot } from './own-bot.ts';

/**
 * Ends a bot: its token and sockets, its settings and secrets, its open replies, its place in groups (BOT-4). Its
 * messages stay, with its name on them, which nobody gets again; so do its direct chats, which others read on.
 */
export default unit('deleteBot', async (call, { username }) => {
  const { tx, now } = call;
  const bot = await requireOwnBot(call, username);
  await tx.run(removeBot, bot.key);
  await removeSettings(tx, bot.key);
  await tx.run(markAccountDeleted, bot.key, now, bot.username);
  for (const { chat_key } of await tx.all(chatKeysOf, bot.key)) await leave(call, chat_key, bot);
  call.intend({ type: 'closeAccount', accountKey: bot.key });
});

async function leave(call: UnitCall, chatKey: number, bot: AccountRow): Promise<void> {
  const chat = await call.tx.get(chatByKey, chatKey);
  if (chat?.kind === 'group') return removeParticipant(call, chat, bot);
  const streams = await call.tx.all(openStreamsOfChat, chatKey);
  return endReplies(
    call,
    [],
    streams.filter(({ agent_key }) => agent_key === bot.key),
  );
}
