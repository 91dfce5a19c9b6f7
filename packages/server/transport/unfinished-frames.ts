import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Held } from '../core/byte-budget.ts';
import type { Intake } from './intake.ts';

/**
 * Bytes that ws holds of a message that has not come whole. It publishes no such number: this reads two fields of its
 * parser, in the version that is pinned, and the test of LIMIT-20 fails if they should get other names.
 */
function unfinishedBytes(socket: WebSocket): number {
  const { _receiver: receiver } = socket as unknown as {
    _receiver: { _bufferedBytes: number; _messageLength: number };
  };
  const { _bufferedBytes: ofFrame, _messageLength: ofMessage } = receiver;
  return ofFrame + ofMessage;
}

/** Closes a socket whose unfinished message does not fit into the budget, or takes too long (LIMIT-20). */
export function guardFrames(socket: WebSocket, stream: Duplex, owner: string, { budget, slow }: Intake): void {
  let isUnfinished = false;
  let hasCompleted = false;
  const giveUp = (): void => {
    // What still comes is thrown away: the parser gets none of it, and would keep it.
    stream.removeAllListeners('data').resume();
    socket.close(1013, 'too much is being sent at once; try again');
    stream.end();
  };
  const held = new Held(budget, owner, giveUp);
  socket.on('message', () => void (hasCompleted = true));
  // Behind the listener of ws, which has parsed the chunk by now.
  stream.on('data', () => {
    const bytes = unfinishedBytes(socket);
    if (!held.set(bytes)) return giveUp();
    // A busy socket always has a message on its way: the time of each counts from the end of the one before it.
    const begins = bytes > 0 && (!isUnfinished || hasCompleted);
    const ends = bytes === 0 && isUnfinished;
    isUnfinished = bytes > 0;
    hasCompleted = false;
    if (ends) slow.end(stream);
    if (!begins) return undefined;
    slow.begin(stream, giveUp);
    return slow.authenticated(stream);
  });
  stream.once('close', () => {
    held.set(0);
    slow.end(stream);
  });
}
