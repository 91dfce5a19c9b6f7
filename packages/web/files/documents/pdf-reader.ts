import type { DrawnPage, OpenedPdf, PageText, PdfReply, PdfRequest } from './pdf-messages.ts';

/** How long the worker may take for one request. */
const PATIENCE_MS = 15_000;
/** How long the worker's script may take to load. */
const LOADING_MS = 60_000;

/** The PDF needs a password, or it or a page of it cannot be drawn in time. */
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
  readonly reject: (error: unknown) => void;
}

/** A PDF in a worker, which answers one request after another. A page that fails leaves the other pages as they are. */
export class PdfReader {
  readonly #file: Blob;
  #worker: Worker;
  /** The worker's script has loaded. */
  #isReady = false;
  #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(file: Blob) {
    this.#file = file;
    this.#worker = this.#start();
  }

  /** Rejects with a PdfFailure, or with another error if the worker's script cannot be loaded. */
  async open(): Promise<OpenedPdf> {
    const reply = await this.#ask({ type: 'open', file: this.#file });
    if (reply.type !== 'opened') throw new PdfFailure(reply.type === 'failed' && reply.isLocked);
    return reply;
  }

  /** Draws a page. Rejects with a PdfFailure, or with the signal's reason if it aborts before the page's turn. */
  async draw(page: number, scale: number, signal: AbortSignal): Promise<DrawnPage> {
    const reply = await this.#ask({ type: 'draw', page, scale }, signal);
    if (reply.type !== 'drawn') throw new PdfFailure(false);
    return reply;
  }

  /** The words of a page, as its drawing has them. Rejects as `draw` does. */
  async read(page: number, signal: AbortSignal): Promise<readonly PageText[]> {
    const reply = await this.#ask({ type: 'read', page }, signal);
    if (reply.type !== 'read') throw new PdfFailure(false);
    return reply.texts;
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

  #start(): Worker {
    const worker = new Worker(new URL('pdf-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<PdfReply>) => this.#receive(data));
    worker.addEventListener('error', () => this.#replaceWorker());
    return worker;
  }

  /** Ends a worker that hangs or has crashed. Its request fails; a new worker answers the others. */
  #replaceWorker(): void {
    const asked = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timer);
    this.#worker.terminate();
    asked?.reject(this.#isReady ? new PdfFailure(false) : new Error('the script that draws PDFs has not loaded'));
    if (asked?.request.type === 'open') return this.close();
    this.#isReady = false;
    this.#worker = this.#start();
    this.#queue.unshift({
      request: { type: 'open', file: this.#file },
      resolve: ({ type }) => type === 'opened' || this.close(),
      reject: () => undefined,
    });
    return this.#next();
  }

  async #ask(request: PdfRequest, signal?: AbortSignal): Promise<PdfReply> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new PdfFailure(false));
      const waiting = { request, resolve, reject };
      this.#queue.push(waiting);
      signal?.addEventListener('abort', () => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        if (this.#current !== waiting) reject(signal.reason);
      });
      return this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) return;
    this.#worker.postMessage(this.#current.request);
    this.#limitTime();
  }

  #limitTime(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#replaceWorker(), this.#isReady ? PATIENCE_MS : LOADING_MS);
  }

  #receive(reply: PdfReply): void {
    switch (reply.type) {
      case 'ready':
        this.#isReady = true;
        if (this.#current) this.#limitTime();
        break;
      case 'opened':
      case 'drawn':
      case 'read':
      case 'failed': {
        const asked = this.#current;
        clearTimeout(this.#timer);
        this.#current = undefined;
        asked?.resolve(reply);
        this.#next();
        break;
      }
      default:
      // pdf.js sends messages of its own.
    }
  }
}
