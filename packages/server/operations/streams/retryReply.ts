import type { Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { account } from '../../commits/lock-names.ts';
import { chatOf, type LockRule } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { conflict, forbidden, invalid, notFound, ServiceError } from '../../core/errors.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import { chatByKey, isParticipant } from '../../store/chats.ts';
import { messageById, messageByKey, messageJson, type MessageRow } from '../../store/messages.ts';
import {
  claimTurn,
  countRunning,
  countWaiting,
  insertTurn,
  openTurnOf,
  turnByKey,
  turnOfReply,
  type TurnRow,
} from '../../store/turns.ts';
import { claimOf } from '../../agents/owner-key.ts';
import { callerOf, startStream } from '../../agents/turn-units.ts';
import { assertMayWrite } from '../../messages/may-write.ts';
import { firingsLeft, originOfTurn } from '../../messages/firing-origin.ts';
import { isGone } from '../../messages/visibility.ts';

/** Seconds until a refused caller should try again: a running reply may end at any moment. */
const RETRY_AFTER_S = 1;

// Locks the conversation of the reply, and the caller's account, whose running and waiting turns are counted.
const locks: LockRule<Input<'retryReply'>> = ({ caller, input }) => [chatOf(input.message_id), account(caller.key)];

export default unit('retryReply', { locks }, async (call, { message_id }) => {
  const { tx, now } = call;
  const { reply, turn, agent } = await requireReply(call, message_id);
  const trigger = await requireTrigger(call, { reply, turn, agent });
  const ahead = await requireRoom(call, turn);
  const terms = await claimOf(call, agent, turn.human_key, ahead);
  if (terms === 'full') throw busy('its current replies may use up your tokens for today');
  const { chat_key, channel_key, thread_key, root_message_key } = turn;
  const made = await tx.get(
    insertTurn,
    turn.message_key,
    agent.key,
    chat_key,
    channel_key,
    thread_key,
    turn.human_key,
    root_message_key,
    turn.hop,
    'server',
    now,
    turn.unprompted,
    // A retry is no message: it does not prolong the following of a thread.
    0,
  );
  if (!made) throw new Error('INSERT … RETURNING returned no row');
  const messageKey = await startStream(call, callerOf(agent), {
    chatKey: chat_key,
    channelKey: channel_key,
    threadKey: thread_key,
    replyToId: idText(trigger.id),
    turnKey: made.key,
    runner: 'server',
    clientMsgId: null,
  });
  await tx.run(claimTurn, made.key, messageKey, terms.payer);
  const claimed = { messageKey, ...terms };
  const retried = await tx.get(turnByKey, made.key);
  if (retried) call.intend({ type: 'runClaimed', turn: retried, claimed });
  const placeholder = await tx.get(messageByKey, messageKey);
  if (!placeholder) throw new Error('the message of the new stream is missing');
  return messageJson(call, placeholder);
});

interface Reply {
  reply: MessageRow;
  turn: TurnRow;
  agent: AccountRow;
}

/** A reply of a provider agent for which the caller is the asker (RETRY-3). */
async function requireReply({ tx, caller }: UnitCall, messageId: string): Promise<Reply> {
  const reply = await tx.get(messageById, idBytes(messageId));
  if (!reply || (await isGone({ tx }, reply))) throw notFound('message');
  if (!(await tx.get(isParticipant, reply.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  const turn = await tx.get(turnOfReply, reply.key);
  if (turn && turn.human_key !== caller.key) throw forbidden('only the person who asked for a reply can retry it');
  const agent = await tx.get(accountByKey, reply.sender_key);
  if (agent?.kind !== 'agent') throw invalid('message_id', 'is not a message of an agent');
  if (agent.agent_provider === null)
    throw conflict('the service cannot retry replies of this bot: send it your message again');
  if (!turn) throw invalid('message_id', 'is not a reply to a message');
  return { reply, turn, agent };
}

/** The message that the reply answers; 409 if it cannot be answered now. */
async function requireTrigger({ tx, caller }: UnitCall, { reply, turn, agent }: Reply): Promise<MessageRow> {
  if (reply.status === 'streaming') throw conflict('this reply is still being written');
  const trigger = await tx.get(messageByKey, turn.message_key);
  if (!trigger || trigger.deleted_at !== null) throw conflict('the message that it replies to was deleted');
  // No account may write in a thread whose root is deleted.
  const root = turn.thread_key === 0 ? undefined : await tx.get(messageByKey, turn.thread_key);
  if (root && root.deleted_at !== null) throw conflict('the root of its thread was deleted');
  if (agent.deleted_at !== null || !(await tx.get(isParticipant, turn.chat_key, agent.key)))
    throw conflict(`${agent.display_name} does not take part here any more`);
  const chat = await tx.get(chatByKey, turn.chat_key);
  if (chat) await assertMayWrite({ tx, caller }, chat);
  // A double click must not cause two replies.
  if (await tx.get(openTurnOf, turn.message_key, agent.key))
    throw conflict(`${agent.display_name} is replying to this already`);
  return trigger;
}

/**
 * Throws if this retry would exceed the limits on firings (RETRY-5). A retry does not queue: its placeholder is stored
 * at once. Returns how many replies of the agent run or wait for this human.
 */
async function requireRoom(call: UnitCall, turn: TurnRow): Promise<number> {
  const { tx, settings } = call;
  const { firingsPerHumanMessage, unpromptedFiringsPerHour, turnsAtOnce } = settings;
  const origin = originOfTurn(turn);
  if ((await firingsLeft(call, origin)) <= 0)
    throw conflict(
      origin.isUnprompted
        ? `your bots' unprompted messages have had ${unpromptedFiringsPerHour} replies in this hour; try again later`
        : `one message has at most ${firingsPerHumanMessage} replies in all; send it again`,
    );
  const queue = [turn.agent_key, turn.human_key, turnsAtOnce] as const;
  const running = (await tx.get(countRunning, ...queue))?.count ?? 0;
  const waiting = (await tx.get(countWaiting, ...queue))?.count ?? 0;
  const ahead = running + waiting;
  if (ahead < turnsAtOnce) return ahead;
  throw busy(`it writes ${turnsAtOnce} replies for you at the moment`);
}

const busy = (reason: string): ServiceError =>
  new ServiceError('rate_limited', `${reason}; try again when one has ended`, { retry_after: RETRY_AFTER_S });
