// Another turn for a reply that has ended: it writes a new reply (retryReply), or goes on with this one (continueReply).
import type { Message } from '@parley/protocol';
import type { Claim } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { conflict, forbidden, invalid, notFound, ServiceError } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import type { Renderable } from '../core/json.ts';
import { timesGoneOn } from '../messages/chain-stops.ts';
import { firingsLeft, originOfTurn } from '../messages/firing-origin.ts';
import { isBarredByChain } from '../messages/chain-blocks.ts';
import { assertMayWrite } from '../messages/may-write.ts';
import { isGone } from '../messages/visibility.ts';
import { accountByKey, type AccountRow, turnOwner } from '../store/accounts.ts';
import { chatByKey, isParticipant } from '../store/chats.ts';
import { messageById, messageByKey, type MessageRow } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import {
  claimTurn,
  countRunning,
  countWaiting,
  insertTurn,
  openTurnOf,
  turnByKey,
  turnOfReply,
  type TurnRow,
} from '../store/turns.ts';
import { claimOf } from './owner-key.ts';
import { tokensToReserve } from './reserve-tokens.ts';
import { isCrowded } from './turn-units.ts';

/** Seconds until a refused caller should try again: a running reply may end at any moment. */
const RETRY_AFTER_S = 1;

/** A reply, its newest turn, and its agent. */
interface AskedReply {
  reply: MessageRow;
  turn: TurnRow;
  agent: AccountRow;
}

/** A reply that has ended, with the message that it replies to. */
interface EndedReply extends AskedReply {
  trigger: MessageRow;
}

/** The reply, if the caller may have it written again or continued, and that is possible now (RETRY-3, RETRY-4). */
export async function requireEndedReply(call: UnitCall, messageId: string): Promise<EndedReply> {
  const found = await requireReply(call, messageId);
  return { ...found, trigger: await requireTrigger(call, found) };
}

/** Whose key pays for another turn. Throws if it would exceed a limit: it does not queue (RETRY-5). */
export async function requireTerms(call: UnitCall, { turn, agent }: EndedReply): Promise<Claim> {
  await requireRoom(call, turn, turnOwner(agent));
  const terms = await claimOf(call, agent, turn);
  if (terms === 'full')
    throw busy('the replies that it writes at the moment may use up the tokens that are left for it');
  return terms;
}

/**
 * Stores a claimed turn that runs after the commit, and returns its streaming reply. `open` stores the reply, and
 * returns its key.
 */
export async function runAgain(
  call: UnitCall,
  { turn, agent, reply }: EndedReply,
  terms: Claim,
  open: (turnKey: number) => Promise<number>,
): Promise<Renderable<Message>> {
  const { tx, now } = call;
  const made = await tx.get(
    insertTurn,
    turn.message_key,
    agent.key,
    turn.chat_key,
    turn.channel_key,
    turn.thread_key,
    turn.human_key,
    turn.root_message_key,
    turn.hop,
    'server',
    now,
    turn.unprompted,
    // It is no message: it does not prolong the following of a thread.
    0,
    turn.asked,
    turnOwner(agent),
  );
  if (!made) throw new Error('INSERT … RETURNING returned no row');
  const messageKey = await open(made.key);
  const reserved = await tokensToReserve(call, agent, turn, terms, messageKey === reply.key);
  await tx.run(claimTurn, made.key, messageKey, terms.payer, reserved);
  const claimed = { messageKey, ...terms };
  const again = await tx.get(turnByKey, made.key);
  if (again) call.intend({ type: 'runClaimed', turn: again, claimed });
  const streaming = await tx.get(messageByKey, messageKey);
  if (!streaming) throw new Error('the message of the stream is missing');
  return messageJson(call, streaming);
}

interface FoundReply {
  reply: MessageRow;
  /** Undefined for a bot's message that answers no firing. */
  turn: TurnRow | undefined;
  agent: AccountRow;
}

/** An agent's message, unless another human has asked for it (RETRY-3). */
async function findReply({ tx, caller }: UnitCall, messageId: string): Promise<FoundReply> {
  const reply = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!reply || (await isGone({ tx }, reply))) throw notFound('message');
  if (!(await tx.get(isParticipant, reply.chat_key, caller.key)))
    throw forbidden('you do not take part in this conversation');
  const turn = await tx.get(turnOfReply, reply.key);
  if (turn && turn.human_key !== caller.key)
    throw forbidden('only the person who asked for a reply can retry, continue or choose it');
  const agent = await tx.get(accountByKey, reply.sender_key);
  if (agent?.kind !== 'agent') throw invalid('message_id', 'is not a message of an agent');
  return { reply, turn, agent };
}

/** A reply for which the caller is the asker (RETRY-3). */
export const requireAskedReply = async (call: UnitCall, messageId: string): Promise<AskedReply> =>
  asked(await findReply(call, messageId));

/** A reply of a provider agent for which the caller is the asker (RETRY-3). */
async function requireReply(call: UnitCall, messageId: string): Promise<AskedReply> {
  const found = await findReply(call, messageId);
  if (found.agent.agent_provider === null)
    throw conflict('the service cannot retry or continue replies of this bot: send it your message again');
  return asked(found);
}

function asked({ reply, turn, agent }: FoundReply): AskedReply {
  if (!turn) throw invalid('message_id', 'is not a reply to a message');
  return { reply, turn, agent };
}

/** The message that the reply answers; 409 if it cannot be answered now. */
async function requireTrigger(call: UnitCall, { reply, turn, agent }: AskedReply): Promise<MessageRow> {
  const { tx, caller } = call;
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
  if (await isBarredByChain(call, turn)) throw conflict(`${agent.display_name} does not answer this message`);
  // A double click must not cause two replies.
  if (await tx.get(openTurnOf, turn.message_key, agent.key))
    throw conflict(`${agent.display_name} is replying to this already`);
  return trigger;
}

/** Throws if another turn would exceed the limits on firings. */
async function requireRoom(call: UnitCall, turn: TurnRow, ownerKey: number): Promise<void> {
  const { tx, settings } = call;
  const { firingsPerHumanMessage, unpromptedFiringsPerHour, turnsAtOnce, turnsOfOwner } = settings;
  const origin = originOfTurn(turn);
  if ((await firingsLeft(call, origin, await timesGoneOn(call.tx, origin.rootMessageKey))) <= 0)
    throw conflict(
      origin.isUnprompted
        ? `your bots' unprompted messages have had ${unpromptedFiringsPerHour} replies in this hour; try again later`
        : `one message has at most ${firingsPerHumanMessage} replies in all; send it again`,
    );
  const queue = [turn.agent_key, turn.human_key, turnsAtOnce] as const;
  const running = (await tx.get(countRunning, ...queue))?.count ?? 0;
  const waiting = (await tx.get(countWaiting, ...queue))?.count ?? 0;
  const ahead = running + waiting;
  if (ahead >= turnsAtOnce) throw busy(`it writes ${turnsAtOnce} replies for you at the moment`);
  if (await isCrowded(tx, ownerKey, turnsOfOwner))
    throw busy(`the agents of its owner write ${turnsOfOwner} replies at the moment`);
}

const busy = (reason: string): ServiceError =>
  new ServiceError('rate_limited', `${reason}; try again when one has ended`, { retry_after: RETRY_AFTER_S });
