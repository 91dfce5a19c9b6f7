import type { UnitCall } from '../commits/unit-call.ts';
import { nextState } from '../rules/turn-states.ts';
import { requestCancel, setTurnState, type StreamRow, streamOf, type TurnRow } from '../store/turns.ts';
import { closeStream } from './close-stream.ts';

/**
 * Ends replies that have no place any more, as `cancelled` (TURN-9): queued ones here, those that run after the
 * commit, since the newest of their text is in the main thread's memory.
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
      // A process that dies before the reply has ended must not run it again.
      if (turn.reply_key !== null) await tx.run(requestCancel, turn.reply_key);
      continue;
    }
    await tx.run(setTurnState, turn.key, next);
    // Queued a second time, after a restart: nobody else would end the placeholder of its first run.
    const left = turn.reply_key === null ? undefined : await tx.get(streamOf, turn.reply_key);
    if (left)
      await closeStream(call, {
        messageKey: left.message_key,
        status: 'cancelled',
        text: left.text,
        revision: left.revision_reserved,
        finishReason: 'removed',
      });
  }
  if (running.length > 0) call.intend({ type: 'cancelTurns', turnKeys: running });
  const daemons = streams.filter(({ runner }) => runner === 'daemon').map(({ message_key }) => message_key);
  if (daemons.length > 0) call.intend({ type: 'endStreams', messageKeys: daemons });
}
