import type { UnitCall } from '../commits/unit-call.ts';
import { nextState } from '../rules/turn-states.ts';
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
    await tx.run(setTurnState, turn.key, next);
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
