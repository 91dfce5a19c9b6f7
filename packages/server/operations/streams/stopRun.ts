import type { Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { chat } from '../../commits/lock-names.ts';
import { chatAndSenderOf, everything, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { accountByKey } from '../../store/accounts.ts';
import { actorOf, callerActor } from '../../rendering/accounts.ts';
import { agentParticipants, type OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { messageById, type MessageRow } from '../../store/messages.ts';
import { openStreamsOfChat, openTurnsOfChat, requestCancel, type TurnRow } from '../../store/turns.ts';
import { endReplies } from '../../agents/end-replies.ts';

/**
 * Locks the conversation, whose turns and streams change, and the household of the agent: the end of a reply that waits
 * for people is said in messages of the agent (WAIT-6). Which agents all replies of a conversation are of is not known.
 */
const locks: LockRule<Input<'stopRun'>> = ({ input }) =>
  input.message_id === undefined ? everything : [chat(input.chat_id), chatAndSenderOf(input.message_id)];

export default unit('stopRun', { locks, addsData: false }, async (call, input) => {
  const own = await requireChat(call, input.chat_id);
  const message = input.message_id === undefined ? undefined : await requireReply(call, own, input.message_id);
  await stopServerTurns(call, own, message);
  await askDaemons(call, own, input.chat_id, message);
  return undefined;
});

/**
 * The message; throws if it is not in this conversation (404). A deleted message is accepted: it may be a reply that
 * was stopped before it had any text (STOP-5).
 */
async function requireReply({ tx, caller }: UnitCall, chat: OwnChatRow, id: string): Promise<MessageRow> {
  const row = await tx.get(messageById, idBytes(id), caller.key);
  if (!row || row.chat_key !== chat.key) throw notFound('message');
  return row;
}

/** Ends turns of agents that the service runs. The service decides who may stop these turns (STOP-2). */
async function stopServerTurns(call: UnitCall, chat: OwnChatRow, message: MessageRow | undefined): Promise<void> {
  const { tx, caller } = call;
  let refused: TurnRow | undefined;
  const stopped: TurnRow[] = [];
  for (const turn of await tx.all(openTurnsOfChat, chat.key)) {
    if (message && turn.reply_key !== message.key) continue;
    if (!(await mayStop(call, chat, turn))) {
      refused ??= turn;
      continue;
    }
    stopped.push(turn);
  }
  await endReplies(call, stopped, [], 'stopped');
  const agent = refused && (await tx.get(accountByKey, refused.agent_key));
  if (!agent) return;
  call.emit({
    scope: accountScope(caller.key),
    kind: 'alert',
    params: {
      text: `You may not stop ${agent.display_name} here.`,
      level: 'error',
      from: actorOf(agent),
      cause: { kind: 'stop_refused' },
    },
  });
}

/** The asker, the agent's owner, and the owner and admins of a group may stop a turn. */
async function mayStop({ tx, caller }: UnitCall, chat: OwnChatRow, turn: TurnRow): Promise<boolean> {
  if (turn.human_key === caller.key || (chat.kind === 'group' && chat.role !== 'member')) return true;
  return (await tx.get(accountByKey, turn.agent_key))?.parent_key === caller.key;
}

/** Every bot of the conversation receives the request, even if the message is not its own: daemons decide (STOP-1). */
async function askDaemons(
  call: UnitCall,
  chat: OwnChatRow,
  chatId: string,
  message: MessageRow | undefined,
): Promise<void> {
  const { tx, caller } = call;
  const from = await callerActor(tx, caller);
  const streams = (await tx.all(openStreamsOfChat, chat.key)).filter(
    (stream) => stream.runner === 'daemon' && (!message || stream.message_key === message.key),
  );
  for (const stream of streams) await tx.run(requestCancel, stream.message_key);
  if (streams.length > 0)
    call.intend({ type: 'cancelStreams', messageKeys: streams.map(({ message_key }) => message_key) });

  const bots = (await tx.all(agentParticipants, chat.key)).filter(({ agent_provider }) => agent_provider === null);
  for (const bot of bots) {
    const params = { conversation_id: chatId, ...(message && { message_id: idText(message.id) }), from };
    call.emit({ scope: accountScope(bot.account_key), kind: 'cancelRun', params, ref: chat.key });
  }
}
