import { deferred } from '../deferred.ts';
import type { StreamEvent, TextSource } from './bot.ts';

type Piece = string | StreamEvent;

/**
 * Passes on the pieces of a source until it ends, `take` returns false, or the signal fires. A source that has not
 * ended by then is closed. Throws a TypeError for a piece that is neither a string nor an event.
 */
export async function readPieces(source: TextSource, signal: AbortSignal, take: (piece: Piece) => boolean) {
  const iterator = piecesOf(source);
  const aborted = deferred<'aborted'>();
  const abort = (): void => aborted.resolve('aborted');
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  let isDone = false;
  const next = async () => {
    try {
      return await iterator.next();
    } catch (error) {
      isDone = true;
      throw error;
    }
  };
  try {
    for (;;) {
      const result = await Promise.race([aborted.promise, next()]);
      if (result === 'aborted') return;
      isDone = result.done === true;
      if (result.done === true || !take(pieceOf(result.value))) return;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a source that never yields its next piece never closes.
    if (!isDone) void leave(iterator).catch(() => {});
  }
}

async function leave(iterator: Iterator<Piece> | AsyncIterator<Piece>): Promise<void> {
  await iterator.return?.();
}

/** A bot may be plain JavaScript, so the type must be checked at run time. */
function piecesOf(source: unknown): Iterator<Piece> | AsyncIterator<Piece> {
  if (typeof source === 'string') return [source].values();
  if (typeof source === 'object' && source !== null) {
    // The pieces are checked one by one.
    const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = source as Partial<
      AsyncIterable<Piece> & Iterable<Piece>
    >;
    const iterator = later?.call(source) ?? now?.call(source);
    if (iterator) return iterator;
  }
  throw new TypeError(`an answer must be an async generator, a stream or a list of strings, not ${typeName(source)}`);
}

function pieceOf(piece: unknown): Piece {
  if (typeof piece === 'string') return piece;
  if (typeof piece === 'object' && piece !== null && 'type' in piece && typeof piece.type === 'string')
    return piece as StreamEvent; // it has a type
  throw new TypeError(`an answer must be made of strings, not ${typeName(piece)}`);
}

/** As in "not undefined", "not number", "not Promise". */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}
