import type { BlockGone, ColorReply } from './colors.ts';
import type { CodeColors } from './code-colors.ts';

/** How long the worker may be silent before it is replaced; the block that it worked on is tried once more. */
const SILENCE_MS = 4_000;
/** How long the files of the worker and of a grammar may take to load. */
const LOADING_MS = 60_000;

/** The worker that finds colours. It works on one request at a time, so that one slow block is known. */
class ColorWorker {
  #worker: Worker | undefined;
  readonly #open = new Set<CodeColors>();
  readonly #queue = new Set<CodeColors>();
  #current: CodeColors | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Colours the block's text as it is when its turn comes. */
  want(block: CodeColors): void {
    this.#open.add(block);
    this.#queue.add(block);
    this.#next();
  }

  drop(block: CodeColors): void {
    this.#open.delete(block);
    this.#queue.delete(block);
    this.#worker?.postMessage({ gone: block.block } satisfies BlockGone);
  }

  #next(): void {
    if (this.#current) return;
    for (const block of this.#queue) {
      this.#queue.delete(block);
      const request = block.takeRequest();
      if (!request) continue;
      this.#current = block;
      this.#watch(LOADING_MS);
      this.#start().postMessage(request);
      return;
    }
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('highlight-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ColorReply>) => this.#receive(data));
    worker.addEventListener('error', () => this.#replace());
    this.#worker = worker;
    return worker;
  }

  #receive(reply: ColorReply): void {
    const block = this.#current;
    if (block?.block !== reply.block) return;
    if (this.#open.has(block)) block.receive(reply);
    if (!reply.isDone) return this.#watch(SILENCE_MS);
    clearTimeout(this.#timer);
    // A block that closed while the worker was at it is known there again.
    if (!this.#open.has(block)) this.drop(block);
    this.#current = undefined;
    this.#next();
    return undefined;
  }

  #watch(patienceMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#replace(), patienceMs);
  }

  #replace(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    const failed = this.#current;
    this.#current = undefined;
    for (const block of this.#open) block.forget();
    failed?.failed();
    // After the others, also if it was waiting again: it may fail again.
    if (failed && this.#open.has(failed)) {
      this.#queue.delete(failed);
      this.#queue.add(failed);
    }
    this.#next();
  }
}

export const colorWorker = new ColorWorker();
