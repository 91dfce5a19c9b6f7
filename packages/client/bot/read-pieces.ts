import { deferred } from '../deferred.ts';
import type { TextSource } from './bot.ts';
import { typeName } from './models/read-stream.ts';

/**
 * Passes on the pieces of a source until it ends, `take` returns false, or the signal fires. A source that has not
 * ended by then is closed. Throws a TypeError for a source that has no pieces.
 */
export async function readPieces(source: TextSource, signal: AbortSignal, take: (piece: unknown) => boolean) {
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
      if (result.done === true || !take(result.value)) return;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a source that never yields its next piece never closes.
    if (!isDone) void leave(iterator).catch(() => {});
  }
}

async function leave(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}

type Pieces = Partial<AsyncIterable<unknown> & Iterable<unknown>>;

/** A bot may be plain JavaScript, so the type must be checked at run time. */
function piecesOf(source: unknown): Iterator<unknown> | AsyncIterator<unknown> {
  if (typeof source === 'string') return [source].values();
  if (typeof source === 'object' && source !== null) {
    // The pieces are checked one by one.
    const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = source as Pieces;
    const iterator = later?.call(source) ?? now?.call(source);
    if (iterator) return iterator;
    // What `streamText` of the package `ai` returns.
    const fullStream = 'fullStream' in source ? source.fullStream : undefined;
    if (typeof fullStream === 'object') return piecesOf(fullStream);
  }
  throw new TypeError(`an answer must be an async generator, a stream or a list of strings, not ${typeName(source)}`);
}
