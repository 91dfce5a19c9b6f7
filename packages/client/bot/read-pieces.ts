import type { TextSource } from './bot.ts';

/**
 * Gives on what a source gives, until its end, until `take` wants no more, or until the signal. A source that is not
 * at its end by then is told so.
 */
export async function readPieces(source: TextSource, signal: AbortSignal, take: (piece: string) => boolean) {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const aborted = Promise.withResolvers<'aborted'>();
  const abort = (): void => aborted.resolve('aborted');
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  let isDone = false;
  try {
    for (;;) {
      const next = await Promise.race([aborted.promise, nextOf(iterator)]);
      if (next === 'aborted') return;
      isDone = next.done === true;
      if (next.done === true || !take(next.value)) return;
    }
  } catch (error) {
    isDone = true;
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    // One that never comes to its next piece never hears of it: it is not waited for.
    if (!isDone) void leave(iterator).catch(() => {});
  }
}

const nextOf = async (iterator: Iterator<string> | AsyncIterator<string>): Promise<IteratorResult<string, unknown>> =>
  iterator.next();

async function leave(iterator: Iterator<string> | AsyncIterator<string>): Promise<void> {
  await iterator.return?.();
}
