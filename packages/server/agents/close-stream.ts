import type { TokenUsage, Message } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account, chat, household } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { idBytes, idText } from '../core/ids.ts';
import type { Renderable } from '../core/json.ts';
import { endOfContinued, isContinued, isUntouched } from '../rules/continued-replies.ts';
import { TOO_MANY_WAITING } from '../rules/call-results.ts';
import { endedParts, waitingParts } from '../rules/reply-parts.ts';
import { nextState } from '../rules/turn-states.ts';
import { accountByKey, isGuide, isHouse } from '../store/accounts.ts';
import { actorOf } from '../rendering/accounts.ts';
import { chatByKey, isParticipant, touchChat } from '../store/chats.ts';
import {
  messageById,
  messageByKey,
  type MessageRecord,
  type MessageRow,
  recordOf,
  updateMessage,
} from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { queuePush } from '../push/queue-push.ts';
import { reindexMessage } from '../store/search.ts';
import { addStored } from '../store/stored-bytes.ts';
import { openDecisionsOfTurn } from '../store/decisions.ts';
import { toolTurn } from '../store/tool-calls.ts';
import { deleteStream, setTurnState, streamOf, type StreamRow, turnByKey, type TurnRow } from '../store/turns.ts';
import { obstacleTo } from '../messages/may-write.ts';
import { buryMessages } from '../messages/bury-messages.ts';
import { markContent } from '../messages/content-marks.ts';
import { findFiles, holdFiles } from '../messages/attached-files.ts';
import { askToGoOn } from '../messages/chain-stops.ts';
import { findFirings, storeFirings } from '../messages/firings.ts';
import { endToolTurn } from '../messages/end-tool-turn.ts';
import { addFailure, addToInboxes } from '../messages/inbox-items.ts';
import { noteMentions, peopleMentioned } from '../messages/note-mentions.ts';
import { announceVersions, giveWay } from '../messages/reply-versions.ts';
import { isGone } from '../messages/visibility.ts';
import { book, notedPrice, notedUsage } from './book-usage.ts';
import { type CloseOpenStream, type CloseStream, endEvent } from '../replies/end-of-reply.ts';
import { callerOf } from './caller-of.ts';
import { planTitle } from './plan-title.ts';
import { hasTooManyWaiting, resumeIfDecided } from './waiting-turns.ts';

/** True if a running reply's agent or channel was removed (TURN-9), or the agent may not write any more (BLOCK-3). */
export async function lostItsPlace({ tx }: Pick<UnitCall, 'tx'>, stream: StreamRow, row: MessageRow): Promise<boolean> {
  if (!(await tx.get(isParticipant, stream.chat_key, stream.agent_key)) || (await isGone({ tx }, row))) return true;
  // A deleted bot stays in its direct chats.
  const agent = await tx.get(accountByKey, stream.agent_key);
  if (agent?.deleted_at !== null) return true;
  const chat = await tx.get(chatByKey, stream.chat_key);
  return chat !== undefined && (await obstacleTo({ tx, caller: agent }, chat)) !== undefined;
}

/** True if no usage need be estimated: all of it is reported, or the turn failed without text and cost little. */
const isAllReported = (begun: MessageRecord, input: CloseStream, usage: TokenUsage | undefined): boolean =>
  (input.status === 'complete' && usage !== undefined) || (input.status === 'failed' && isUntouched(begun, input));

/** The tokens that all turns of a reply have used. */
const sumOf = (first: TokenUsage | undefined, second: TokenUsage | undefined): TokenUsage | undefined =>
  first && second
    ? {
        input_tokens: first.input_tokens + second.input_tokens,
        output_tokens: first.output_tokens + second.output_tokens,
      }
    : (first ?? second);

/** The message that a reply quotes. */
async function quotedBy({ tx }: Pick<UnitCall, 'tx'>, row: MessageRow): Promise<MessageRow | undefined> {
  const { reply_to_id } = recordOf(row);
  return reply_to_id ? tx.get(messageById, idBytes(reply_to_id), row.sender_key) : undefined;
}

/** Whether the end of a stream is that its turn waits for people; 'too_many' if it may not (WAIT-8). */
async function waitFor(call: UnitCall, turn: TurnRow, end: CloseStream): Promise<'waits' | 'too_many' | null> {
  if (end.status !== 'complete' || end.finishReason !== 'waiting' || turn.steps === 0) return null;
  return (await hasTooManyWaiting(call, turn.human_key)) ? 'too_many' : 'waits';
}

const tooManyWaiting = (end: CloseStream): CloseStream => ({
  ...end,
  status: 'failed',
  finishReason: 'too_many_waiting',
  text: end.text === '' ? TOO_MANY_WAITING : `${end.text}\n\n${TOO_MANY_WAITING}`,
});

/** The first open decision that everybody who reads the reply may know of: a private one its asker is told (CALL-14). */
async function firstDecisionOf({ tx }: UnitCall, turn: TurnRow | undefined): Promise<string | undefined> {
  const open = turn ? await tx.all(openDecisionsOfTurn, turn.key) : [];
  const first = open.find(({ is_private }) => is_private === 0);
  const message = first && (await tx.get(messageByKey, first.message_key));
  return message && idText(message.id);
}

/** Whether the turn continues a reply that had ended; one that has waited for people is still the same turn. */
async function wasContinued({ tx }: UnitCall, begun: MessageRecord, turn: TurnRow | undefined): Promise<boolean> {
  const known = turn && turn.steps > 0 ? await tx.get(toolTurn, turn.key) : undefined;
  return known ? known.began > 0 : isContinued(begun);
}

/** Ends a stream: stores the final message, events and firings in one unit. Null if it had already ended (STREAM-9). */
export async function closeStream(call: UnitCall, given: CloseStream): Promise<Renderable<Message> | null> {
  const { tx, now } = call;
  const row = await tx.get(messageByKey, given.messageKey);
  const stream = await tx.get(streamOf, given.messageKey);
  if (!row || !stream || row.status !== 'streaming') return null;
  // If the agent or the channel was removed before this unit, the reply ends as cancelled, whichever end was requested
  // (TURN-9).
  const isLost = await lostItsPlace(call, stream, row);
  const turn = stream.turn_key === null ? undefined : await tx.get(turnByKey, stream.turn_key);
  const asked: CloseStream = isLost ? { ...given, status: 'cancelled', finishReason: 'removed' } : given;
  const waits = turn ? await waitFor(call, turn, asked) : null;
  const input = waits === 'too_many' ? tooManyWaiting(asked) : asked;
  const isWaiting = waits === 'waits';
  const begun = recordOf(row);
  const isLater = await wasContinued(call, begun, turn);
  const next = turn && nextState(turn.state, isWaiting ? 'wait' : endEvent[input.status]);
  if (turn && next) await tx.run(setTurnState, turn.key, next);
  const calls = turn && !isWaiting ? await endToolTurn(call, turn) : undefined;
  const usage = input.usage ?? notedUsage(stream);
  const price = input.usage ? input.price : notedPrice(stream);
  const estimatedTokens = isAllReported(begun, input, usage) ? 0 : (input.estimatedTokens ?? 0);
  if (usage || estimatedTokens > 0) {
    const { agent_key: agentKey, turn_key: turnKey } = stream;
    const { chat_key: chatKey } = row;
    await book(call, {
      messageKey: row.key,
      agentKey,
      chatKey,
      turnKey,
      usage,
      price,
      estimatedTokens,
      isReply: !begun.usage,
    });
  }

  const drawn = begun.attachments;
  const hasFiles = drawn.length > 0 || (input.attachments?.length ?? 0) > 0;
  if (input.status === 'cancelled' && input.text === '' && !hasFiles && !input.parts?.length) {
    // A reply that was stopped before it had any text or part is deleted, because it would be an empty message.
    await buryMessages(call, row.chat_key, [row]);
    const buried = await tx.get(messageByKey, row.key);
    return buried ? messageJson(call, buried) : null;
  }

  const author = await tx.get(accountByKey, stream.agent_key);
  const chat = await tx.get(chatByKey, row.chat_key);
  if (!author || !chat) throw new Error('a stream has an author and a conversation');
  const files = await findFiles({ tx, caller: author }, input.attachments);
  const timeline = { channelKey: row.channel_key, threadKey: row.thread_key };
  // A reply that waits is pushed, fires agents and is somebody's reply once, at its real end (WAIT-1).
  const isComplete = input.status === 'complete' && !isWaiting;
  const quoted = isComplete ? await quotedBy({ tx }, row) : undefined;
  const firings = isComplete
    ? await findFirings(call, {
        chat,
        timeline,
        sender: author,
        text: input.text,
        reading: input.reading,
        isService: false,
        // A stream that answers no firing is nobody's request, whatever it quotes (DISPATCH-16).
        quoted: undefined,
        turn,
        fired: begun.dispatch,
      })
    : undefined;
  // How the turn ends and how the message does may differ (CONTINUE-5).
  const shown = isLater && !isLost ? endOfContinued(input) : input;
  const record: MessageRecord = {
    ...begun,
    content: input.text,
    ...(input.parts?.length && {
      parts: isWaiting ? waitingParts(input.text, input.parts) : endedParts(input.text, input.parts, calls),
    }),
    attachments: [...drawn, ...files.attachments],
    ...firings?.mentioned,
    dispatch: [...begun.dispatch, ...(firings?.dispatch ?? [])],
    left_out: firings?.shownLeftOut,
    content_revision: input.revision,
    status: shown.status,
    finish_reason: shown.finishReason,
    ...(isWaiting && { waiting_for: await firstDecisionOf(call, turn) }),
    finalized_at: new Date(now).toISOString(),
    usage: sumOf(begun.usage, usage),
  };
  const text = JSON.stringify(record);
  await tx.run(updateMessage, row.key, shown.status, text);
  await tx.run(addStored, row.sender_key, Buffer.byteLength(text));
  await holdFiles(call, row, files);
  await markContent(tx, row, record, input.reading);
  await reindexMessage(tx, row.key);
  await tx.run(deleteStream, row.key);
  await tx.run(touchChat, row.chat_key, now);
  const held = firings && (await storeFirings(call, firings, row.chat_key, timeline, row.key));
  // An answer without text replaces none (REGEN-2), although its reasoning is kept.
  const isEmpty = input.text === '' && record.attachments.length === 0;
  const versions = shown.status === 'failed' || (isEmpty && !isWaiting) ? await giveWay(call, row) : undefined;
  const message = await messageJson(call, { ...row, status: shown.status, record: text });
  call.emit({ scope: chatScope(row.chat_key), kind: 'messageComplete', params: message, ref: row.key });
  if (versions) announceVersions(call, versions);
  call.intend({ type: 'dropStreams', messageKeys: [row.key] });
  // The last decision was made while the end was on its way.
  if (isWaiting && turn) await resumeIfDecided(call, turn.key);
  const mentioned = await peopleMentioned(call, chat, {
    mentions: firings?.mentioned.mentions ?? [],
    senderKey: row.sender_key,
  });
  if (isComplete) await noteMentions(call, chat, row, { mentioned, quoted });
  // A reply is pushed once (CONTINUE-4).
  if (isComplete && !isLater) {
    await addToInboxes(call, chat, row, { mentioned, quotedKey: quoted?.sender_key });
    await queuePush(call, chat, row);
  }
  if (shown.status === 'failed')
    await addFailure(call, row, isGuide(author) || isHouse(author) ? null : author.parent_key);
  if (isComplete && turn) await planTitle(call, { chat, agent: author, turn, messageKey: row.key, reply: input.text });
  if (held !== undefined) await askToGoOn(call, { chat, timeline, sender: callerOf(author), turnKey: held });
  if (input.status === 'failed' && turn) {
    call.emit({
      scope: accountScope(turn.human_key),
      kind: 'alert',
      params: {
        title: author.display_name,
        text: input.alert ?? failureText(author.display_name, input.finishReason),
        level: 'error',
        from: actorOf(author),
        message_id: idText(row.id),
        reason: input.finishReason,
        details: turn.payer === 'asker' || turn.human_key === author.parent_key ? input.details : undefined,
      },
    });
  }
  return message;
}

export const closeOpenStream = internalUnit(
  {
    // Locks the conversation (message, firings, turn), the agent (usage) and its household (stored bytes); of a reply
    // that waits the asker, whose waiting replies are counted (WAIT-8).
    locks: ({ input }) => [
      chat(input.chatId),
      account(input.agentKey),
      household(input.agentName),
      ...(input.askerKey === undefined ? [] : [account(input.askerKey)]),
    ],
  },
  (call: UnitCall, given: CloseOpenStream): Promise<Renderable<Message> | null> => closeStream(call, given),
);

/** What happened, by the reason for which a reply without an alert of its own ended (ALERT-7). */
const WHY: Readonly<Record<string, string>> = {
  bot: 'its program reported an error',
  lease: 'its program stopped writing',
  removed: 'it may not write here any more',
  restart: 'the service stopped while it was being written',
};

function failureText(name: string, reason: string | undefined): string {
  const why = WHY[reason ?? ''];
  return `The reply of ${name} failed${why === undefined ? '' : `: ${why}`}.`;
}
