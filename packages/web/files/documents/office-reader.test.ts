import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OfficeReply } from './office-messages.ts';
import { officeDocument } from './office-reader.ts';

/** A worker that the test answers for. */
class FakeWorker extends EventTarget {
  static last: FakeWorker;
  readonly asked: unknown[] = [];
  isEnded = false;

  constructor() {
    super();
    FakeWorker.last = this;
  }
  postMessage(file: unknown) {
    this.asked.push(file);
  }
  terminate() {
    this.isEnded = true;
  }
  answer(data: OfficeReply) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
  vi.useFakeTimers();
});
afterEach(() => {
  expect([FakeWorker.last.isEnded, vi.getTimerCount()]).toEqual([true, 0]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const read = (signal = new AbortController().signal) => {
  const outcome = officeDocument(new Blob(), signal).catch((error: Error) => error.message);
  return { outcome, worker: FakeWorker.last };
};

test('WEB-450: the worker gets the file when its script has loaded, and ends after its answer', async () => {
  const { outcome, worker } = read();
  expect(worker.asked).toEqual([]);
  worker.answer({ type: 'ready' });
  expect(worker.asked).toHaveLength(1);
  const document = { parts: [], isCut: false };
  worker.answer({ type: 'read', document });
  expect(await outcome).toBe(document);
});

test('WEB-451: a file that needs a password, cannot be read, ends the worker or takes longer than 15 s is a failure', async () => {
  const fail = async (act: (worker: FakeWorker) => void) => {
    const { outcome, worker } = read();
    worker.answer({ type: 'ready' });
    act(worker);
    return outcome;
  };
  expect(await fail((worker) => worker.answer({ type: 'failed', isLocked: true }))).toBe('locked');
  expect(await fail((worker) => worker.answer({ type: 'failed', isLocked: false }))).toBe('broken');
  expect(await fail((worker) => void worker.dispatchEvent(new Event('error')))).toBe('broken');
  expect(await fail(() => vi.advanceTimersByTime(15_000))).toBe('broken');
});

test('WEB-451: a script that does not load within 60 s is no failure of the file, and closing the viewer ends the worker', async () => {
  const unloaded = 'the script that reads office files has not loaded';
  const crashed = read();
  crashed.worker.dispatchEvent(new Event('error'));
  expect(await crashed.outcome).toBe(unloaded);
  const slow = read();
  vi.advanceTimersByTime(60_000);
  expect(await slow.outcome).toBe(unloaded);
  const abort = new AbortController();
  const closed = read(abort.signal);
  abort.abort(new Error('closed'));
  expect(await closed.outcome).toBe('closed');
});
