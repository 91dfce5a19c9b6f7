import type { DrawnPage, OpenedPdf, PdfReply, PdfRequest } from './pdf-messages.ts';

/** How long the worker may take for one request. */
const PATIENCE_MS = 15_000;
/** How long the worker's own file may take to load, which happens with the first request. */
const LOADING_MS = 60_000;

/** The PDF needs a password, cannot be read, or takes too long. */
export class PdfFailure extends Error {
  readonly isLocked: boolean;

  constructor(isLocked: boolean) {
    super('the PDF cannot be drawn');
    this.isLocked = isLocked;
  }
}

interface Waiting {
  readonly request: PdfRequest;
  readonly resolve: (reply: PdfReply) => void;
  readonly reject: (failure: PdfFailure) => void;
}

/** A PDF in a worker, which does one thing after another. Once it fails, all that is asked of it fails. */
export class PdfReader {
  readonly #worker = new Worker(new URL('pdf-worker.ts', import.meta.url), { type: 'module' });
  #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<PdfReply>) => this.#receive(data));
    this.#worker.addEventListener('error', () => this.close());
  }

  async open(bytes: Uint8Array<ArrayBuffer>): Promise<OpenedPdf> {
    const reply = await this.#ask({ type: 'open', bytes });
    if (reply.type !== 'opened') throw new PdfFailure(reply.type === 'failed' && reply.isLocked);
    return reply;
  }

  /** Draws a page; rejects if the signal aborts before its turn comes. */
  async draw(page: number, scale: number, signal: AbortSignal): Promise<DrawnPage> {
    const reply = await this.#ask({ type: 'draw', page, scale }, signal);
    if (reply.type !== 'drawn') throw new PdfFailure(false);
    return reply;
  }

  /** Ends the worker, also in the middle of a page. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const { reject } of [...(this.#current ? [this.#current] : []), ...this.#queue]) reject(new PdfFailure(false));
    this.#queue = [];
    this.#current = undefined;
  }

  async #ask(request: PdfRequest, signal?: AbortSignal): Promise<PdfReply> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new PdfFailure(false));
      const waiting = { request, resolve, reject };
      this.#queue.push(waiting);
      signal?.addEventListener('abort', () => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        if (this.#current !== waiting) reject(new PdfFailure(false));
      });
      return this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) return;
    const { request } = this.#current;
    this.#timer = setTimeout(() => this.close(), request.type === 'open' ? LOADING_MS : PATIENCE_MS);
    this.#worker.postMessage(request, request.type === 'open' ? [request.bytes.buffer] : []);
  }

  #receive(reply: PdfReply): void {
    if (reply.type !== 'opened' && reply.type !== 'drawn' && reply.type !== 'failed') return;
    clearTimeout(this.#timer);
    const asked = this.#current;
    this.#current = undefined;
    asked?.resolve(reply);
    this.#next();
  }
}
