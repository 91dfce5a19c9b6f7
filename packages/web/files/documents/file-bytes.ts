// Documents as the viewer shows them: code, tables, Markdown, PDFs and office files. May import: the files of the room above it that
// show no messages.

/** The beginning of a file, or all of it. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isCut: boolean;
}

/** A signed address of a file, and how to get a new one when it has expired. */
export interface FileSource {
  readonly url: string;
  /** In bytes, if the message says it. */
  readonly size: number | undefined;
  readonly refresh: () => Promise<string>;
}

/** Loads all of a file. Returns null if it is larger than this, and sends no request if the message says so. */
export async function wholeFile(source: FileSource, mostBytes: number, signal: AbortSignal): Promise<Blob | null> {
  if (source.size !== undefined && source.size > mostBytes) return null;
  const { bytes, isCut } = await fileBytes(source, mostBytes, signal);
  return isCut ? null : new Blob([bytes]);
}

/** Loads at most this many bytes of a file. Throws if the service does not send them. */
export async function fileBytes(source: FileSource, mostBytes: number, signal: AbortSignal): Promise<FileBytes> {
  const first = await request(source.url, mostBytes, signal);
  const response = first.status === 403 ? await request(await source.refresh(), mostBytes, signal) : first;
  if (isEmpty(response)) return { bytes: new Uint8Array(0), isCut: false };
  if (!response.ok || !response.body) throw new Error(`the file is not available: ${response.status}`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Not every browser can iterate over a stream.
  const reader = response.body.getReader();
  for (;;) {
    const { value: chunk } = await reader.read();
    if (!chunk) return { bytes: joined(chunks, size), isCut: size < totalOf(response, size) };
    const fitting = chunk.subarray(0, mostBytes - size);
    chunks.push(fitting);
    size += fitting.length;
    if (fitting.length < chunk.length) {
      void reader.cancel();
      return { bytes: joined(chunks, size), isCut: true };
    }
  }
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

const request = async (url: string, mostBytes: number, signal: AbortSignal): Promise<Response> =>
  fetch(url, { headers: { range: `bytes=0-${mostBytes - 1}` }, signal });

/** An empty file has no range that could be sent. */
const isEmpty = ({ status, headers }: Response): boolean =>
  status === 416 && headers.get('content-range') === 'bytes */0';

const totalOf = (response: Response, size: number): number =>
  Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? size);
