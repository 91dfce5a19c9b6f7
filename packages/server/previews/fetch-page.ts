// previews/: what the pages behind links say. Imports the rooms up to commits.
import type { LinkPreview } from '@parley/protocol';
import { boundedChunks, isCompressed, uncompressed } from '../outbound/bounded-body.ts';
import { follow } from '../outbound/follow.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import type { PageBeginning, PageReading } from '../rules/page-text.ts';

/** Maximum bytes of a page that are read. */
const PAGE_BYTES = 512 * 1024;

/** What may end a head, unless it stands in a script or comment, and how much of it the next bytes may complete. */
const HEAD_END = /<\/head[\s/>]|<body[\s/>]/i;
const HEAD_END_UNITS = 6;

/** Reads a beginning of a page; null if that takes too much time or memory. */
export type ReadPage = (page: PageBeginning) => Promise<PageReading | null>;

const headers = {
  accept: 'text/html',
  ...uncompressed,
};

/** The preview of a page; null if it has none. Throws if the page cannot be reached (LINK-3). */
export async function fetchPage(
  fetch: Fetch,
  url: string,
  { signal, read }: { signal: AbortSignal; read: ReadPage },
): Promise<LinkPreview | null> {
  const response = await follow(fetch, url, { headers, signal });
  return response && previewOf(response, url, read);
}

async function previewOf(response: Response, url: string, read: ReadPage): Promise<LinkPreview | null> {
  const { body, headers: given, ok } = response;
  const contentType = given.get('content-type') ?? '';
  if (!body || !ok || !/^text\/html\s*(?:;|$)/i.test(contentType) || isCompressed(response)) {
    await body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  const beginning = (): PageBeginning => ({ url, contentType, bytes: new Uint8Array(Buffer.concat(chunks)) });
  let size = 0;
  let readSize = 0;
  let last = '';
  for await (const chunk of boundedChunks(body, PAGE_BYTES)) {
    chunks.push(chunk);
    size += chunk.length;
    const text = last + Buffer.from(chunk).toString('latin1');
    last = text.slice(-HEAD_END_UNITS);
    // Only what has doubled is read again, so that a page full of such ends takes linear time.
    if (size < 2 * readSize || !HEAD_END.test(text)) continue;
    readSize = size;
    const page = await read(beginning());
    if (!page || page.isOver) return page?.preview ?? null;
  }
  return (await read(beginning()))?.preview ?? null;
}
