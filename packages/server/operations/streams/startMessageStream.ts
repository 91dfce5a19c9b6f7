import type { Input } from '@parley/protocol';
import { refusalOf } from '../../agents/refusals.ts';
import type { Refused } from '../../commits/effects.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { account, chat } from '../../commits/lock-names.ts';
import { householdOf, type LockRule } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { conflict, forbidden, notFound, ServiceError } from '../../core/errors.ts';
import { RawJson } from '../../core/json.ts';
import { nextState } from '../../rules/turn-states.ts';
import { requireChat } from '../../access/chats.ts';
import { messageByClientId, messageByKey, type MessageRow } from '../../store/messages.ts';
import { messageJson } from '../../rendering/messages.ts';
import { claimTurn, countStreamsOf, turnOf, type TurnRow } from '../../store/turns.ts';
import { askBudgets } from '../../agents/budgets.ts';
import { assertRoomToReply } from '../../files/storage-quota.ts';
import { startStream } from '../../replies/open-stream.ts';
import { assertMayReact, assertMayWrite } from '../../messages/may-write.ts';
import { newestFiring } from '../../messages/firing-origin.ts';
import { requireQuoted, requireTimeline, type Timeline } from '../../messages/timeline.ts';

/** Seconds until a refused caller should try again: an open reply may end at any moment. */
const RETRY_AFTER_S = 1;

interface Started {
  key: number;
  resumed: boolean;
  /** The budget of the bot that is used up: the reply says so and ends (USAGE-14). */
  refused: Refused | null;
}

// Locks the bot's account, whose open replies are counted, and the conversation, in which the firing is claimed.
const locks: LockRule<Input<'startMessageStream'>> = ({ caller, input }) => [
  chat(input.chat_id),
  account(caller.key),
  householdOf(caller),
];

export default unitThen(
  'startMessageStream',
  { locks },
  async (call, input): Promise<Started> => {
    const { tx, caller } = call;
    const chat = await requireChat(call, input.chat_id);
    if (caller.kind !== 'agent') throw forbidden('only an agent can stream messages');
    if (input.client_msg_id !== undefined) {
      const stored = await tx.get(messageByClientId, input.client_msg_id, caller.key, chat.key);
      if (stored?.payload_digest) throw conflict('this client_msg_id was sent with another payload');
      if (stored) return { key: stored.key, resumed: true, refused: null };
    }
    const timeline = await requireTimeline(call, chat, input);
    const quoted = await requireQuoted(call, chat, input.reply_to_message_id);
    const turn = await firingOf(call, chat.key, timeline, quoted);
    // Where only managers post, other people's bots only answer (POST-4).
    await (turn ? assertMayReact : assertMayWrite)(call, chat);
    await assertMayOpen(call);
    await assertRoomToReply(call, caller.ownerKey);
    const key = await startStream(call, caller, {
      chatKey: chat.key,
      ...timeline,
      replyToId: input.reply_to_message_id ?? null,
      turnKey: turn?.key ?? null,
      runner: 'daemon',
      clientMsgId: input.client_msg_id ?? null,
    });
    if (turn) await tx.run(claimTurn, turn.key, key, null, 0);
    const agent = { key: caller.key, parent_key: caller.ownerKey };
    const humanKey = turn?.human_key ?? caller.ownerKey;
    const reply = { agent, humanKey, chat, isOwnersKey: true, isDaemons: true };
    return { key, resumed: false, refused: (await askBudgets(call, reply)).refused };
  },
  async (
    call,
    { key, resumed, refused },
    { streams, texts, closeStream }: Needs<'streams' | 'texts' | 'closeStream'>,
  ) => {
    const { tx, caller, socketOpenedAt } = call;
    const stream = streams.get(key);
    // A call answered with `resumed` is no sign of life: another daemon may be writing the stream (STREAM-17).
    if (stream && !resumed) streams.called(stream, socketOpenedAt);
    if (stream && refused) {
      const { text, end } = refusalOf(refused, {
        username: caller.username,
        display_name: caller.displayName,
        agent_provider: null,
      });
      stream.append(text);
      await closeStream(stream, end);
    }
    const row = await tx.get(messageByKey, key);
    if (!row) throw notFound('message');
    const { text } = await messageJson(call, row, texts);
    return new RawJson(resumed ? `{"resumed":true,${text.slice(1)}` : text);
  },
);

/** Limits the open replies of a bot, because they are held in memory (STREAM-19). */
async function assertMayOpen({ tx, caller, settings: { streamsPerBot } }: UnitCall): Promise<void> {
  const open = (await tx.get(countStreamsOf, caller.key))?.count ?? 0;
  if (open < streamsPerBot) return;
  throw new ServiceError('rate_limited', `a bot has at most ${streamsPerBot} open streams; end one of them first`, {
    retry_after: RETRY_AFTER_S,
  });
}

/**
 * The firing that this stream answers (STREAM-16): the firing by the quoted message or, without a quote, the bot's
 * newest firing in this timeline within the hour. Undefined if another stream has answered it.
 */
async function firingOf(
  { tx, now, caller }: UnitCall,
  chatKey: number,
  timeline: Timeline,
  quoted: MessageRow | undefined,
): Promise<TurnRow | undefined> {
  const turn = quoted
    ? await tx.get(turnOf, quoted.key, caller.key)
    : await newestFiring({ tx, now }, caller.key, chatKey, timeline);
  return turn && nextState(turn.state, 'claim') !== null ? turn : undefined;
}
