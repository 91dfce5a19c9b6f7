import { ApiError } from '@parley/client';
import { settled, StillClock } from '@parley/testing/sdk/fake-service.ts';
import { expect, test } from 'vitest';
import { uploadFailure } from './upload-failure.ts';
import { UploadQueue } from './upload-queue.ts';
import type { UploadEvent } from './uploads.ts';

const refusal = (status: number, error_code: 'rate_limited' | 'too_large' | 'unavailable', parameters = {}): ApiError =>
  new ApiError(status, { error_code, description: 'no', parameters });

/** A queue of ten files; the test answers each upload. */
function ten() {
  const clock = new StillClock();
  const events: UploadEvent[] = [];
  const open = new Map<string, PromiseWithResolvers<never>>();
  const progress = new Map<string, (progress: number) => void>();
  const begun: string[] = [];
  const network = { isOffline: false };
  const queue = new UploadQueue({
    clock,
    tell: (event) => void events.push(event),
    failure: () => ({ error: 'no', mayRetry: false }),
    isOffline: () => network.isOffline,
    send({ file }, { signal, onProgress }) {
      begun.push(file.name);
      progress.set(file.name, onProgress);
      const way = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => way.reject(new DOMException('given up', 'AbortError')));
      open.set(file.name, way);
      return way.promise;
    },
  });
  const names = Array.from({ length: 10 }, (_, at) => `${at}`);
  for (const name of names) queue.add({ key: name, file: new File(['x'], name) });
  const answer = async (name: string, error?: Error) => {
    // The queue reads no fields of the uploaded file, so a stub is enough.
    if (error) open.get(name)?.reject(error);
    else open.get(name)?.resolve({ id: name } as never);
    await settled();
  };
  const told = (type: UploadEvent['type']) =>
    events.flatMap((event) => (event.type === type && 'key' in event ? event.key : []));
  return { clock, queue, begun, names, network, progress, answer, told };
}

test('WEB-71: three of ten files upload at once, the others in order', async () => {
  const { begun, names, answer, told } = ten();
  expect(begun).toEqual(['0', '1', '2']);
  await answer('1');
  expect(begun).toEqual(['0', '1', '2', '3']);
  for (const name of names) await answer(name);
  expect(begun).toEqual(names);
  expect(told('done').toSorted()).toEqual(names);
  expect(told('failed')).toEqual([]);
});

test('WEB-71: an upload that the service is too busy for is retried after retry_after, before the others', async () => {
  const { clock, begun, answer, told } = ten();
  await answer('1', refusal(429, 'rate_limited', { retry_after: 2 }));
  await answer('0');
  await clock.advance(1_999);
  expect([begun, told('postponed')]).toEqual([['0', '1', '2'], ['1']]);
  await clock.advance(1);
  expect(begun).toEqual(['0', '1', '2', '1', '3']);
  expect(told('failed')).toEqual([]);
});

test('WEB-71: a file that is refused, or may be retried only in an hour, fails without holding up others', async () => {
  const { begun, answer, told } = ten();
  await answer('0', refusal(413, 'too_large'));
  await answer('1', refusal(429, 'rate_limited', { retry_after: 3_600 }));
  expect(told('failed')).toEqual(['0', '1']);
  expect(begun).toEqual(['0', '1', '2', '3', '4']);
});

test('WEB-71: an upload that the network cut is tried again, after longer and longer delays, five times', async () => {
  const { clock, begun, answer, told } = ten();
  for (const seconds of [1, 2, 4, 8, 16]) {
    await answer('0', new TypeError('the upload failed'));
    const before = begun.length;
    await clock.advance(seconds * 1_000 - 1);
    expect(begun).toHaveLength(before);
    await clock.advance(1);
    expect(begun.at(before)).toBe('0');
  }
  expect(told('failed')).toEqual([]);
  await answer('0', refusal(503, 'unavailable'));
  expect(told('failed')).toEqual(['0']);
});

test('WEB-600: each time that an upload has got further, it may be tried five times again', async () => {
  const { clock, begun, progress, answer, told } = ten();
  for (let at = 1; at <= 20; at += 1) {
    progress.get('0')?.(at / 20);
    await answer('0', new TypeError('the upload failed'));
    await clock.advance(1_000);
    expect(begun.filter((name) => name === '0')).toHaveLength(at + 1);
  }
  for (const seconds of [2, 4, 8, 16]) {
    progress.get('0')?.(0.5);
    await answer('0', new TypeError('the upload failed'));
    await clock.advance(seconds * 1_000);
  }
  expect(told('failed')).toEqual([]);
  await answer('0', new TypeError('the upload failed'));
  expect(told('failed')).toEqual(['0']);
});

test('WEB-71: without a network an upload does not fail, and goes on as soon as the network is back', async () => {
  const { clock, queue, begun, network, answer, told } = ten();
  network.isOffline = true;
  for (const seconds of [1, 2, 4, 8, 16, 16, 16]) {
    await answer('0', new TypeError('the upload failed'));
    await clock.advance(seconds * 1_000);
  }
  await answer('0', new TypeError('the upload failed'));
  expect(told('failed')).toEqual([]);
  const before = begun.length;
  network.isOffline = false;
  queue.resume();
  expect(begun.at(before)).toBe('0');
});

test('WEB-71: a removed file frees its slot and sends no more events', async () => {
  const { clock, queue, begun, told } = ten();
  queue.cancel('3');
  queue.cancel('0');
  await settled();
  expect(begun).toEqual(['0', '1', '2', '4']);
  queue.cancelAll();
  await settled();
  expect([begun.length, clock.pending, told('failed')]).toEqual([4, 0, []]);
});

test('WEB-71: retrying is offered for a network failure, not for a file that is too large', () => {
  expect(uploadFailure(refusal(413, 'too_large'))).toEqual({ error: 'Too large to send.', mayRetry: false });
  expect(uploadFailure(new TypeError('the upload failed')).mayRetry).toBe(true);
});
