import { describe, expect, test } from 'vitest';
import {
  afterUploadEvent,
  attachmentsOf,
  hasFailed,
  isUploading,
  MAX_FILES,
  type Upload,
  type UploadEvent,
} from './uploads.ts';

const file = new File(['x'], 'x.txt');
const uploaded = { id: 'f1', kind: 'file', name: 'x.txt', mime_type: 'text/plain', size: 1, url: '/files/f1' } as const;
const after = (...events: UploadEvent[]): readonly Upload[] => events.reduce<readonly Upload[]>(afterUploadEvent, []);
const added = (...keys: string[]): UploadEvent => ({ type: 'added', uploads: keys.map((key) => ({ key, file })) });
const started = (key: string): UploadEvent => ({ type: 'started', key });

describe('files of a composer', () => {
  test('hold up the message until each has uploaded', () => {
    const sending = after(added('a', 'b'), started('a'), started('b'), { type: 'progressed', key: 'a', progress: 0.4 });
    expect(sending.map(({ progress }) => progress)).toEqual([0.4, 0]);
    expect(isUploading(sending)).toBe(true);
    const done = afterUploadEvent(afterUploadEvent(sending, { type: 'done', key: 'a', uploaded }), {
      type: 'done',
      key: 'b',
      uploaded: { ...uploaded, id: 'f2' },
    });
    expect(isUploading(done)).toBe(false);
    expect(attachmentsOf(done).map(({ id }) => id)).toEqual(['f1', 'f2']);
  });

  test('never lose progress, and ignore events after they have ended', () => {
    const [upload] = after(
      added('a'),
      started('a'),
      { type: 'progressed', key: 'a', progress: 0.9 },
      { type: 'progressed', key: 'a', progress: 0.5 },
      { type: 'done', key: 'a', uploaded },
      { type: 'failed', key: 'a', error: 'late', mayRetry: true },
      { type: 'progressed', key: 'a', progress: 0.2 },
    );
    expect(upload).toMatchObject({ state: 'done', progress: 1 });
  });

  test('restart from zero on retry after a failure, and can be removed', () => {
    const failed = after(
      added('a'),
      started('a'),
      { type: 'progressed', key: 'a', progress: 0.7 },
      { type: 'failed', key: 'a', error: 'no network', mayRetry: true },
    );
    expect(hasFailed(failed)).toBe(true);
    const [again] = afterUploadEvent(failed, { type: 'retried', key: 'a' });
    expect(again).toEqual({ key: 'a', file, state: 'waiting', progress: 0 });
    expect(afterUploadEvent(failed, { type: 'removed', key: 'a' })).toEqual([]);
    expect(after(added('a'), { type: 'removed', key: 'a' }, { type: 'done', key: 'a', uploaded })).toEqual([]);
  });

  test('are limited to the number a message takes, and cleared when it is sent', () => {
    const many = after(added(...Array.from({ length: MAX_FILES + 3 }, (_, at) => `k${at}`)));
    expect(many).toHaveLength(MAX_FILES);
    expect(afterUploadEvent(many, added('more'))).toHaveLength(MAX_FILES);
    expect(afterUploadEvent(many, { type: 'sent' })).toEqual([]);
  });
});

test('WEB-600: a file that returns to the queue keeps its progress, because a large one continues', () => {
  const [upload] = after(
    added('a'),
    { type: 'progressed', key: 'a', progress: 0.5 },
    started('a'),
    { type: 'progressed', key: 'a', progress: 0.7 },
    { type: 'postponed', key: 'a' },
  );
  expect(upload).toEqual({ key: 'a', file, state: 'waiting', progress: 0.7 });
});
