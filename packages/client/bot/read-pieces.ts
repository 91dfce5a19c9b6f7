import type { TextSource } from './bot.ts';

/**
 * Gives on what a source gives, until its end, until `take` wants no more, or until the signal. A source that is not
 * at its end by then is told so. Throws a TypeError for a piece that is no string.
 */
export async function readPieces(source: TextSource, signal: AbortSignal, take: (piece: string) => boolean) {
  const iterator = piecesOf(source);
  const aborted = Promise.withResolvers<'aborted'>();
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
      if (result.done === true || !take(textOf(result.value))) return;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // One that never comes to its next piece never hears of it: it is not waited for.
    if (!isDone) void leave(iterator).catch(() => {});
  }
}

async function leave(iterator: Iterator<string> | AsyncIterator<string>): Promise<void> {
  await iterator.return?.();
}

/** A bot may be plain JavaScript: the types alone keep nothing else out. */
function piecesOf(source: unknown): Iterator<string> | AsyncIterator<string> {
  if (typeof source === 'string') return [source].values();
  if (typeof source === 'object' && source !== null) {
    // What they give is looked at piece by piece.
    const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = source as Partial<
      AsyncIterable<string> & Iterable<string>
    >;
    const iterator = later?.call(source) ?? now?.call(source);
    if (iterator) return iterator;
  }
  throw new TypeError(`an answer is an async generator, a stream or a list of strings, not ${typeName(source)}`);
}

function textOf(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  throw new TypeError(`an answer is made of strings, not of ${typeName(piece)}`);
}

/** As in "not of undefined", "not of number", "not of Promise". */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value;
}
