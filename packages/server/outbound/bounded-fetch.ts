import { boundedText, isCompressed, uncompressed } from './bounded-body.ts';
import type { Fetch } from './guarded-fetch.ts';

/** A server answers with more than is read of it, or compressed although it was asked not to. */
export class AnswerTooLarge extends Error {}

interface Bounds {
  signal: AbortSignal;
  maxBytes: number;
}

/**
 * A guarded fetch in the shape that libraries of OAuth take, whose answers are read whole, up to a size. Rejects with
 * AnswerTooLarge above it.
 */
export const boundedFetch =
  (fetch: Fetch, { signal, maxBytes }: Bounds) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const body = typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : undefined;
    const response = await fetch(String(url), {
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...uncompressed },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    });
    const text = isCompressed(response) ? null : await boundedText(response.body, maxBytes);
    if (text === null) throw new AnswerTooLarge('the server sends too much');
    const { status, headers } = response;
    return new Response([204, 205, 304].includes(status) ? null : text, { status, headers });
  };
