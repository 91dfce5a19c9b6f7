import type { UnitCall } from '../commits/unit-call.ts';
import { nextState } from '../rules/turn-states.ts';
import { withdrawStop } from '../messages/chain-stops.ts';
import { reopenStream } from '../replies/reopen-stream.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import { requestCancel, setTurnState, storedParts, type StreamRow, streamOf, type TurnRow } from '../store/turns.ts';
import { closeStream } from './close-stream.ts';

/**
 * Ends replies whose agent or channel was removed, as `cancelled` (TURN-9). Queued ones end in this unit. Running ones
 * end after its commit, because only the main thread has their newest text.
 */
export async function endReplies(
  call: UnitCall,
  turns: readonly TurnRow[],
  streams: readonly StreamRow[],
  reason: 'removed' | 'stopped' = 'removed',
): Promise<void> {
  const { tx } = call;
  const running: number[] = [];
  for (const turn of turns) {
    const next = nextState(turn.state, 'remove');
    if (next === null) continue;
    if (turn.state === 'streaming') {
      running.push(turn.key);
      // If the process dies before the reply ends, the next process must not repeat the turn.
      if (turn.reply_key !== null) await tx.run(requestCancel, turn.reply_key);
      continue;
    }
    // It waits for people, or has been queued again since.
    if (turn.steps > 0 && (await endWaiting(call, turn, reason))) continue;
    await tx.run(setTurnState, turn.key, next);
    if (turn.state === 'waiting') await withdrawStop(call, turn.root_message_key);
    // A turn that a restart queued again has a placeholder from its first run, which only this code ends.
    const left = turn.reply_key === null ? undefined : await tx.get(streamOf, turn.reply_key);
    if (left)
      await closeStream(call, {
        messageKey: left.message_key,
        status: 'cancelled',
        text: left.text,
        parts: storedParts(left),
        revision: left.revision_reserved,
        finishReason: 'removed',
      });
  }
  if (running.length > 0) call.intend({ type: 'cancelTurns', turnKeys: running });
  const daemons = streams.filter(({ runner }) => runner === 'daemon').map(({ message_key }) => message_key);
  if (daemons.length > 0) call.intend({ type: 'endStreams', messageKeys: daemons });
}

/** Ends a reply that waits for people; false if the turn's reply does not wait (WAIT-6). */
async function endWaiting(call: UnitCall, turn: TurnRow, finishReason: 'removed' | 'stopped'): Promise<boolean> {
  const reply = turn.reply_key === null ? undefined : await call.tx.get(messageByKey, turn.reply_key);
  if (!reply || reply.deleted_at !== null) return false;
  const { finish_reason, content: text, parts, content_revision } = recordOf(reply);
  if (reply.status !== 'complete' || finish_reason !== 'waiting') return false;
  // Clients follow it as they follow a reply that goes on and is stopped.
  const messageKey = await reopenStream(call, reply, turn.key);
  await closeStream(call, {
    messageKey,
    status: 'cancelled',
    text,
    parts,
    revision: content_revision + 2,
    finishReason,
  });
  return true;
}
