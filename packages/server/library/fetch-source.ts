import type { SourceFailure } from '@parley/protocol';
import { boundedChunks, isCompressed, uncompressed } from '../outbound/bounded-body.ts';
import { EndpointRefused } from '../outbound/endpoint-guard.ts';
import { follow } from '../outbound/follow.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import type { WholePage } from '../rules/library-text.ts';

/** Maximum bytes of a page. */
const PAGE_BYTES = 4 * 1024 * 1024;
const TEXT = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\s*(?:;|$)/i;

const headers = { accept: 'text/html, application/xhtml+xml, text/markdown, text/plain', ...uncompressed };

/** The page behind an address, as its server sends it, or why there is none. */
export async function fetchSource(
  fetch: Fetch,
  url: string,
  signal: AbortSignal,
): Promise<WholePage | { failure: SourceFailure }> {
  try {
    const response = await follow(fetch, url, { headers, signal });
    if (!response?.ok || !response.body) {
      await response?.body?.cancel();
      return { failure: 'unreachable' };
    }
    const contentType = response.headers.get('content-type') ?? '';
    if (!TEXT.test(contentType) || isCompressed(response)) {
      await response.body.cancel();
      return { failure: 'not_a_page' };
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of boundedChunks(response.body, PAGE_BYTES + 1)) {
      chunks.push(chunk);
      size += chunk.length;
    }
    if (size > PAGE_BYTES) return { failure: 'too_large' };
    return { contentType, bytes: new Uint8Array(Buffer.concat(chunks)) };
  } catch (error) {
    return { failure: error instanceof EndpointRefused ? 'not_allowed' : 'unreachable' };
  }
}
