import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PdfReply, PdfRequest } from './pdf-messages.ts';
import { PdfFailure, PdfReader } from './pdf-reader.ts';

/** A worker that the test answers for. */
class FakeWorker extends EventTarget {
  static all: FakeWorker[] = [];
  readonly asked: PdfRequest[] = [];
  isEnded = false;

  constructor() {
    super();
    FakeWorker.all.push(this);
  }
  postMessage(request: PdfRequest) {
    this.asked.push(request);
  }
  terminate() {
    this.isEnded = true;
  }
  answer(data: PdfReply) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  crash() {
    this.dispatchEvent(new Event('error'));
  }
}

beforeEach(() => {
  FakeWorker.all = [];
  vi.stubGlobal('Worker', FakeWorker);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const opened: PdfReply = { type: 'opened', pages: [{ width: 1, height: 1 }], isCut: false };
const failed: PdfReply = { type: 'failed', isLocked: false };
/** No picture: nothing here draws it. */
const drawn = { type: 'drawn', texts: [], isPartial: false } as unknown as PdfReply;

const workerAt = (at: number): FakeWorker => {
  const worker = FakeWorker.all[at];
  if (!worker) throw new Error(`worker ${at} was not started`);
  return worker;
};
const pagesOf = ({ asked }: FakeWorker) => asked.map((request) => (request.type === 'draw' ? request.page : 'open'));
/** How a promise ends, as a text. */
const outcome = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => (error instanceof PdfFailure ? `failure${error.isLocked ? ', locked' : ''}` : error.message),
  );

async function reader() {
  const pdf = new PdfReader(new Blob(['%PDF']));
  const opening = pdf.open();
  workerAt(0).answer({ type: 'ready' });
  workerAt(0).answer(opened);
  await opening;
  const draw = async (page: number, { signal } = new AbortController()) => outcome(pdf.draw(page, 1, signal));
  return { pdf, draw };
}

test('WEB-398: pages are drawn one after another, and a page that fails leaves the others alone', async () => {
  const { draw } = await reader();
  const pages = [draw(1), draw(2), draw(3)];
  expect(pagesOf(workerAt(0))).toEqual(['open', 1]);
  for (const reply of [drawn, failed, drawn]) workerAt(0).answer(reply);
  expect(await Promise.all(pages)).toEqual(['done', 'failure', 'done']);
  expect(FakeWorker.all).toHaveLength(1);
});

test('WEB-398: a page that is no longer needed when its turn comes is not drawn', async () => {
  const { draw } = await reader();
  const [current, next] = [new AbortController(), new AbortController()];
  const pages = [draw(1, current), draw(2, next), draw(3)];
  next.abort(new Error('far away'));
  // The worker cannot stop in the middle of a page.
  current.abort();
  for (const reply of [drawn, drawn]) workerAt(0).answer(reply);
  expect(await Promise.all(pages)).toEqual(['done', 'far away', 'done']);
  expect(pagesOf(workerAt(0))).toEqual(['open', 1, 3]);
});

test('WEB-400: a page that takes longer than 15 s fails, and a new worker draws the others', async () => {
  const { draw } = await reader();
  const pages = [draw(1), draw(2)];
  vi.advanceTimersByTime(14_999);
  expect(workerAt(0).isEnded).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await pages[0]).toBe('failure');
  expect(workerAt(0).isEnded).toBe(true);
  for (const reply of [{ type: 'ready' }, opened, drawn] as const) workerAt(1).answer(reply);
  expect(await pages[1]).toBe('done');
  expect(pagesOf(workerAt(1))).toEqual(['open', 2]);
});

test('WEB-400: a worker that crashes is replaced; if the PDF no longer opens, all pages fail', async () => {
  const { draw } = await reader();
  const pages = [draw(1), draw(2)];
  workerAt(0).crash();
  expect(await pages[0]).toBe('failure');
  workerAt(1).answer(failed);
  expect(await pages[1]).toBe('failure');
  expect(await draw(3)).toBe('failure');
  expect(FakeWorker.all.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('WEB-400: a PDF that needs a password, is damaged or takes longer than 15 s to open is a failure', async () => {
  const open = async (act: (worker: FakeWorker) => void) => {
    const opening = outcome(new PdfReader(new Blob()).open());
    const worker = workerAt(FakeWorker.all.length - 1);
    worker.answer({ type: 'ready' });
    act(worker);
    return opening;
  };
  expect(await open((worker) => worker.answer({ type: 'failed', isLocked: true }))).toBe('failure, locked');
  expect(await open((worker) => worker.answer(failed))).toBe('failure');
  expect(await open(() => vi.advanceTimersByTime(15_000))).toBe('failure');
  expect(workerAt(2).isEnded).toBe(true);
});

test('WEB-400: a script that does not load within 60 s is no failure of the PDF', async () => {
  const unloaded = 'the script that draws PDFs has not loaded';
  const crashed = outcome(new PdfReader(new Blob()).open());
  workerAt(0).crash();
  expect(await crashed).toBe(unloaded);
  const slow = outcome(new PdfReader(new Blob()).open());
  vi.advanceTimersByTime(59_999);
  expect(workerAt(1).isEnded).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await slow).toBe(unloaded);
  expect(FakeWorker.all.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('WEB-400: closing ends the worker in the middle of a page, and every waiting page fails', async () => {
  const { pdf, draw } = await reader();
  const pages = [draw(1), draw(2)];
  pdf.close();
  expect(await Promise.all([...pages, draw(3)])).toEqual(['failure', 'failure', 'failure']);
  expect(FakeWorker.all.map(({ isEnded }) => isEnded)).toEqual([true]);
  expect(vi.getTimerCount()).toBe(0);
});
