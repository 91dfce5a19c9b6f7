import type { LiveStream } from './live-stream.ts';
import type { Call } from '../access/call.ts';
import type { LiveStreams } from './live-streams.ts';
import { conflict, forbidden, notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { messageById } from '../store/messages.ts';

/** `socketOpenedAt`: when the calling socket was opened; null over HTTP. */
interface SocketCall extends Call {
  readonly socketOpenedAt: number | null;
}

/**
 * The caller's open stream of this message; undefined if none is open, 403 for another agent's (STREAM-5).
 * Synchronous, so that the writer's calls keep their order (SOCKET-4).
 */
export function ownStream(
  streams: LiveStreams,
  { caller, socketOpenedAt }: SocketCall,
  messageId: string,
): LiveStream | undefined {
  const stream = streams.find(messageId);
  if (!stream) return undefined;
  if (stream.info.agentKey !== caller.key || stream.info.runner !== 'daemon')
    throw forbidden('only its author writes this message');
  streams.called(stream, socketOpenedAt);
  if (!stream.takesText) throw conflict('the stream is closed');
  return stream;
}

/** Resolves when the pending end of the caller's stream is stored or has failed; null if no end is pending. */
export function endOf(streams: LiveStreams, { caller }: Call, messageId: string): Promise<void> | null {
  const stream = streams.find(messageId);
  return stream?.info.agentKey === caller.key ? stream.pendingEnd : null;
}

/**
 * Throws the reason why no stream is open: 404 for an unknown message, 403 for another author's, 409 for a finished
 * one.
 */
export async function noStream({ tx, caller }: Call, messageId: string): Promise<never> {
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!row || row.deleted_at !== null) throw notFound('message');
  if (row.sender_key !== caller.key) throw forbidden('only its author writes this message');
  throw conflict('the stream is closed');
}
