/** Headers of a request whose response is bounded: a small compressed body could unpack to any size. */
export const uncompressed = { 'accept-encoding': 'identity' } as const;

/** Whether a server has compressed its response although the request asked it not to. */
export const isCompressed = ({ headers }: Response): boolean =>
  (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity';

type Body = ReadableStream<Uint8Array> | null;

/**
 * Yields the first `maxBytes` of a body in chunks as they arrive. Closes the connection after them, when the caller
 * leaves the loop, or when `stop` aborts, which ends the body after the chunks received so far.
 */
export async function* boundedChunks(body: Body, maxBytes: number, stop?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  stop?.addEventListener('abort', cancel);
  try {
    if (stop?.aborted) return;
    for (let left = maxBytes; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      const chunk = value.subarray(0, left);
      left -= chunk.length;
      yield chunk;
    }
  } finally {
    stop?.removeEventListener('abort', cancel);
    cancel();
  }
}

/** A body as text; null if it is longer than `maxBytes`. */
export async function boundedText(body: Body, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of boundedChunks(body, maxBytes + 1)) {
    bytes += chunk.length;
    chunks.push(chunk);
  }
  return bytes > maxBytes ? null : new TextDecoder().decode(Buffer.concat(chunks));
}
