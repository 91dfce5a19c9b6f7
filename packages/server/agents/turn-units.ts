import type { Claimed } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { account, chat, household } from '../commits/lock-names.ts';
import { everything, internalUnit } from '../commits/unit-locks.ts';
import { idText } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import { crashEvent, nextCallState } from '../rules/call-states.ts';
import { SUMMARY_PROGRESS } from '../rules/summaries.ts';
import { nextState, restartEvent, type TurnEvent } from '../rules/turn-states.ts';
import { accountByKey } from '../store/accounts.ts';
import { channelByKey, chatByKey, isParticipant } from '../store/chats.ts';
import { messageByKey, type MessageRecord, recordOf } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { callsOfTurn, endCallRow, setCallState, type StepRow, stepsOf } from '../store/tool-calls.ts';
import { dropTranscriptions } from '../store/transcriptions.ts';
import {
  checkpointStream,
  claimTurn as claim,
  countAhead,
  countRunning,
  countRunningOfOwner,
  deleteStream,
  openStreams,
  setTurnOwner,
  setTurnState,
  storedParts,
  streamOf,
  takeStream,
  turnByKey,
  type StreamRow,
  type TurnQueueKey,
  type TurnRow,
  waitingTurns,
} from '../store/turns.ts';
import { callerOf } from './caller-of.ts';
import { endReplies } from './end-replies.ts';
import { isBarredByChain } from '../messages/chain-blocks.ts';
import { obstacleTo } from '../messages/may-write.ts';
import { bookUsage, notedPrice, notedUsage } from './book-usage.ts';
import { closeStream, lostItsPlace } from './close-stream.ts';
import { openLive, startStream } from '../replies/open-stream.ts';
import { reopenStream } from '../replies/reopen-stream.ts';
import { claimOf } from './owner-key.ts';
import { tokensToReserve } from './reserve-tokens.ts';

/**
 * Applies an event to a turn's state table. Returns false if the state does not accept it, e.g. because it comes too
 * late.
 */
async function moveTurn({ tx }: Pick<UnitCall, 'tx'>, turn: TurnRow, event: TurnEvent): Promise<boolean> {
  const next = nextState(turn.state, event);
  if (next === null) return false;
  if (next !== turn.state) await tx.run(setTurnState, turn.key, next);
  return true;
}

/** The turn's key, and the conversation and human that the unit's locks need. */
interface ClaimTurn {
  turnKey: number;
  chatId: string;
  humanKey: number;
  /** The agent's owner, and its username, which names that owner; 0 for the guide. */
  ownerKey: number;
  agentName: string;
}

/**
 * Claims a queued turn and stores its placeholder. Null if the turn no longer has to run (TURN-8). 'full' if the turns
 * that run in its queue on any node, or wait before it, reach the limit, or those of its agent may use up a budget;
 * 'crowded' if those of all agents of the owner reach theirs. It stays queued until one of them ends (TURN-11, TURN-18,
 * BUDGET-7).
 */
export const claimTurn = internalUnit(
  {
    // Locks the conversation, to which it writes a message, and the human and the agent's owner, whose running replies
    // are counted.
    locks: ({ input }) => [
      chat(input.chatId),
      account(input.humanKey),
      ...(input.ownerKey === 0 ? [] : [household(input.agentName)]),
    ],
  },
  async (call: UnitCall, input: ClaimTurn): Promise<Claimed | 'full' | 'crowded' | null> => {
    const { tx, settings } = call;
    const turn = await tx.get(turnByKey, input.turnKey);
    if (!turn || nextState(turn.state, 'claim') === null) return null;
    // Nodes of a version before TURN-18 do not store the owner.
    if (turn.owner_key === 0 && input.ownerKey !== 0) {
      turn.owner_key = input.ownerKey;
      await tx.run(setTurnOwner, turn.key, turn.owner_key);
    }
    const queue = [turn.agent_key, turn.human_key] as const;
    const ahead = (await tx.get(countAhead, ...queue, turn.key, settings.turnsAtOnce))?.count ?? 0;
    if (ahead >= settings.turnsAtOnce) return 'full';
    if (await isCrowded(tx, turn.owner_key, settings.turnsOfOwner)) return 'crowded';
    const trigger = await tx.get(messageByKey, turn.message_key);
    const agent = await tx.get(accountByKey, turn.agent_key);
    const takesPart = await tx.get(isParticipant, turn.chat_key, turn.agent_key);
    const channel = turn.channel_key === 0 ? undefined : await tx.get(channelByKey, turn.channel_key);
    const chat = await tx.get(chatByKey, turn.chat_key);
    // While the turn waited, the human may have blocked the agent, or been deleted (BLOCK-3).
    const isBarred = agent && chat && (await obstacleTo({ tx, caller: agent }, chat));
    const isGone = !trigger || trigger.deleted_at !== null || (channel && channel.deleted_at !== null);
    if (!agent || !takesPart || isBarred || isGone || (await isBarredByChain(call, turn))) {
      await endReplies(call, [turn], []);
      return null;
    }
    const terms = await claimOf(call, agent, turn);
    if (terms === 'full') return 'full';
    const open = turn.reply_key === null ? undefined : await tx.get(streamOf, turn.reply_key);
    const reply = open ? await tx.get(messageByKey, open.message_key) : undefined;
    if (open && reply) {
      const isContinued = recordOf(reply).content !== '';
      const reserved = await tokensToReserve(call, agent, turn, terms, isContinued);
      await tx.run(claim, turn.key, reply.key, terms.payer, reserved);
      await openLive(call, open, reply);
      return { messageKey: reply.key, ...terms };
    }
    // It has waited for people: its reply goes on where it stopped (WAIT-2).
    const waiting =
      turn.steps === 0 || turn.reply_key === null ? undefined : await tx.get(messageByKey, turn.reply_key);
    if (waiting) {
      const messageKey = await reopenStream(call, waiting, turn.key);
      const reserved = await tokensToReserve(call, agent, turn, terms);
      await tx.run(claim, turn.key, messageKey, terms.payer, reserved);
      return { messageKey, ...terms };
    }
    const messageKey = await startStream(call, callerOf(agent), {
      chatKey: turn.chat_key,
      channelKey: turn.channel_key,
      threadKey: turn.thread_key,
      replyToId: idText(trigger.id),
      turnKey: turn.key,
      runner: 'server',
      clientMsgId: null,
    });
    const reserved = await tokensToReserve(call, agent, turn, terms);
    await tx.run(claim, turn.key, messageKey, terms.payer, reserved);
    return { messageKey, ...terms };
  },
);

/**
 * What the calls of a turn's last step are after a crash: of one that was being sent, and may write, nobody knows what
 * became of it; one that only reads is sent again (CALL-4). Returns the step, if the reply was open when it was stored.
 */
async function backToLastStep({ tx, now }: UnitCall, turn: TurnRow): Promise<StepRow | undefined> {
  for (const row of await tx.all(callsOfTurn, turn.key)) {
    if (row.state !== 'sending') continue;
    const next = nextCallState(row.state, crashEvent({ writes: row.writes === 1 }));
    if (next === 'unknown') await tx.run(endCallRow, row.key, next, null, now);
    else if (next) await tx.run(setCallState, row.key, next);
  }
  return (await tx.all(stepsOf, turn.key)).at(-1);
}

/** Books the usage of a run that is repeated: the reply will report only that of the next run (USAGE-5). */
async function bookLostRun(call: UnitCall, stream: StreamRow): Promise<void> {
  const { message_key: messageKey, agent_key: agentKey, chat_key: chatKey, turn_key: turnKey } = stream;
  const usage = notedUsage(stream);
  if (!usage) return;
  const price = notedPrice(stream);
  await bookUsage(call, { messageKey, agentKey, chatKey, turnKey, usage, price, estimatedTokens: 0, isReply: false });
}

/** Whether a reply has text, or pictures that its model has drawn (PICTURE-6): another run would repeat them. */
const hasBegun = ({ text }: StreamRow, begun: MessageRecord): boolean =>
  text !== begun.content || begun.attachments.length > 0;

/** Whether as many turns run as may, of the turn's queue or of its owner's agents: then it waits for one to end. */
async function hasToWait(
  tx: Sql,
  { agent_key, human_key, owner_key }: TurnRow,
  { turnsAtOnce, turnsOfOwner }: Settings,
): Promise<boolean> {
  const inQueue = (await tx.get(countRunning, agent_key, human_key, turnsAtOnce))?.count ?? 0;
  return inQueue >= turnsAtOnce || (await isCrowded(tx, owner_key, turnsOfOwner));
}

/** Whether the agents of an owner run as many turns as they may together (TURN-18). */
export async function isCrowded(tx: Sql, ownerKey: number, turnsOfOwner: number): Promise<boolean> {
  return ownerKey !== 0 && ((await tx.get(countRunningOfOwner, ownerKey, turnsOfOwner))?.count ?? 0) >= turnsOfOwner;
}

/**
 * Ends or repeats the turns and streams that the previous process left, or that dead nodes left (TURN-3 … TURN-5,
 * STREAM-9, CLUSTER-8). `gone`: the dead nodes; null in a single process.
 */
export const recoverTurns = internalUnit(
  { locks: everything },
  async (call: UnitCall, gone: readonly number[] | null): Promise<void> => {
    const { tx, now, settings } = call;
    // Turns would wait for what they reserve until they expire. Those of other nodes may still be made.
    if (!gone) await tx.run(dropTranscriptions);
    for (const stream of await tx.all(openStreams)) {
      if (gone && !gone.includes(stream.node_key)) continue;
      const row = await tx.get(messageByKey, stream.message_key);
      if (!row || row.status !== 'streaming') {
        await tx.run(deleteStream, stream.message_key);
        continue;
      }
      const turn = stream.turn_key === null ? undefined : await tx.get(turnByKey, stream.turn_key);
      const begun = recordOf(row);
      const end = (status: 'failed' | 'cancelled', finishReason: string) =>
        closeStream(call, {
          messageKey: row.key,
          status,
          text: stream.text,
          // A reply of the server's that was waiting for its summary no longer does.
          parts: storedParts(stream).filter(({ id }) => stream.runner === 'daemon' || id !== SUMMARY_PROGRESS),
          revision: stream.revision_reserved,
          finishReason,
        });
      if (await lostItsPlace(call, stream, row)) await end('cancelled', 'removed');
      else if (stream.runner === 'server' && stream.cancel_requested === 1) await end('cancelled', 'stopped');
      else if (stream.runner === 'daemon') await openLive(call, stream, row);
      else if (
        turn &&
        restartEvent({ hasText: hasBegun(stream, begun), attempts: turn.attempts, steps: turn.steps }) === 'requeue'
      ) {
        await bookLostRun(call, stream);
        // The next run writes its own parts (PART-10), after those with which a continued reply began, or those of the
        // last step of a turn with tools.
        const step = turn.steps === 0 ? undefined : await backToLastStep(call, turn);
        const { content, parts } = begun;
        const kept = step ? step.parts : parts ? JSON.stringify(parts) : null;
        await tx.run(checkpointStream, row.key, step?.text ?? content, stream.revision_reserved, kept);
        // Otherwise the dead node would seem to have left work until the turn runs again.
        await tx.run(takeStream, row.key, call.node);
        await moveTurn(call, turn, 'requeue');
      } else await end('failed', 'restart');
    }
    const queues = new Map<string, TurnQueueKey>();
    for (const turn of await tx.all(waitingTurns)) {
      const trigger = await tx.get(messageByKey, turn.message_key);
      const isOld =
        turn.attempts === 0 &&
        turn.reply_key === null &&
        // One that was held began when a person let it go on.
        (!trigger || now - Math.max(trigger.created_at, turn.created_at) > settings.firingMaxAgeMs);
      // A turn that waits for running turns does not expire, however long it waits.
      if (isOld && !(await hasToWait(tx, turn, settings))) await moveTurn(call, turn, 'expire');
      else {
        const { agent_key, human_key, owner_key } = turn;
        queues.set(`${agent_key} ${human_key}`, { agent_key, human_key, owner_key });
      }
    }
    call.intend({ type: 'runTurns', queues: [...queues.values()] });
  },
);
