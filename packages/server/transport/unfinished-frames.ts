import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { Held } from '../core/byte-budget.ts';
import type { Intake } from './intake.ts';

/**
 * Bytes of an incomplete message that ws holds. ws does not publish this number: we read two private fields of its
 * parser. The version is pinned, and the test of LIMIT-20 fails if the fields are renamed.
 */
function unfinishedBytes(socket: WebSocket): number {
  const { _receiver: receiver } = socket as unknown as {
    _receiver: { _bufferedBytes: number; _messageLength: number };
  };
  const { _bufferedBytes: ofFrame, _messageLength: ofMessage } = receiver;
  return ofFrame + ofMessage;
}

/** Closes a socket whose incomplete message exceeds the budget or takes too long (LIMIT-20). */
export function guardFrames(socket: WebSocket, stream: Duplex, owner: string, { budget, slow }: Intake): void {
  let isUnfinished = false;
  let hasCompleted = false;
  const giveUp = (): void => {
    // Discard further bytes: the parser would keep them.
    stream.removeAllListeners('data').resume();
    socket.close(1013, 'too many unfinished requests at once; try again');
    stream.end();
  };
  const held = new Held(budget, owner, giveUp);
  socket.on('message', () => void (hasCompleted = true));
  // Registered after ws's own listener, so ws has already parsed the chunk.
  stream.on('data', () => {
    const bytes = unfinishedBytes(socket);
    if (!held.set(bytes)) return giveUp();
    // A busy socket may always have a message in progress: the time of each message starts when the previous one ends.
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
