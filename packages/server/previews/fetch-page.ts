import type { LinkPreview } from '@parley/protocol';
import { boundedChunks, isCompressed, uncompressed } from '../outbound/bounded-body.ts';
import { nextSlice } from '../core/slices.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { decoderOf, endsDeclarations, PageText } from './page-text.ts';

/** Maximum redirects that are followed. */
const REDIRECTS = 3;
/** Maximum bytes of a page that are read. */
const PAGE_BYTES = 512 * 1024;

/** Maximum UTF-16 units of a page that are read at once: they take less than a millisecond. */
const SLICE_UNITS = 16_384;

const headers = {
  accept: 'text/html',
  ...uncompressed,
  'user-agent': 'Parley link preview',
};

/** The preview of a page; null if it has none. Throws if the page cannot be reached (LINK-3). */
export async function fetchPage(fetch: Fetch, url: string, signal: AbortSignal): Promise<LinkPreview | null> {
  let address = url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
    // `fetch` checks the address each time.
    const response = await fetch(address, { method: 'GET', headers, redirect: 'manual', signal });
    const next = redirectOf(response, address);
    if (next === undefined) return readPage(response, url);
    await response.body?.cancel();
    address = next;
  }
  return null;
}

function redirectOf({ status, headers: given }: Response, address: string): string | undefined {
  const location = given.get('location');
  return status >= 300 && status < 400 && location !== null && URL.canParse(location, address)
    ? new URL(location, address).href
    : undefined;
}

async function readPage(response: Response, url: string): Promise<LinkPreview | null> {
  const { body, headers: given, ok } = response;
  const type = given.get('content-type') ?? '';
  if (!body || !ok || !/^text\/html\s*(?:;|$)/i.test(type) || isCompressed(response)) {
    await body?.cancel();
    return null;
  }
  const text = new PageText();
  let beginning = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  for await (const chunk of boundedChunks(body, PAGE_BYTES)) {
    if (decoder) await readInSlices(text, decoder.decode(chunk, { stream: true }));
    else {
      // The declaration of the encoding may arrive in several chunks.
      beginning = Buffer.concat([beginning, chunk]);
      if (!endsDeclarations(beginning)) continue;
      decoder = decoderOf(type, beginning);
      await readInSlices(text, decoder.decode(beginning, { stream: true }));
    }
    if (text.isOver) break;
  }
  if (!decoder) await readInSlices(text, decoderOf(type, beginning).decode(beginning));
  return text.previewOf(url);
}

/** Reads what has arrived in pieces, none of which holds the event loop (ERR-12). */
async function readInSlices(text: PageText, html: string): Promise<void> {
  for (let at = 0; at < html.length && !text.isOver; at += SLICE_UNITS) {
    if (at > 0) await nextSlice();
    text.add(html.slice(at, at + SLICE_UNITS));
  }
}
