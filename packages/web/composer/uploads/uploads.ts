import type { UploadedFile } from '@parley/protocol';

/** As the service allows in one message. */
export const MOST_FILES = 10;

/** A file on its way into a message. */
export interface Upload {
  readonly key: string;
  readonly file: File;
  /** `waiting`: for its turn. */
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error?: string;
  /** Of a failed one: another try may succeed. */
  readonly mayRetry?: boolean;
  readonly uploaded?: UploadedFile;
}

export type UploadEvent =
  | { type: 'added'; uploads: readonly { key: string; file: File }[] }
  | { type: 'started'; key: string }
  | { type: 'postponed'; key: string }
  | { type: 'progressed'; key: string; progress: number }
  | { type: 'done'; key: string; uploaded: UploadedFile }
  | { type: 'failed'; key: string; error: string; mayRetry: boolean }
  | { type: 'retried'; key: string }
  | { type: 'removed'; key: string }
  | { type: 'sent' };

/** The files of a composer after something has happened to one of them. */
export function afterUploadEvent(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added': {
      const added = event.uploads.slice(0, Math.max(0, MOST_FILES - uploads.length));
      return [...uploads, ...added.map((one) => ({ ...one, state: 'waiting', progress: 0 }) as const)];
    }
    case 'started':
      return uploads.map((one) =>
        one.key === event.key && one.state === 'waiting' ? { ...one, state: 'sending' } : one,
      );
    case 'postponed':
      return changed(uploads, event.key, (upload) => ({ ...upload, state: 'waiting', progress: 0 }));
    case 'progressed':
      return changed(uploads, event.key, (upload) => ({
        ...upload,
        progress: Math.max(upload.progress, event.progress),
      }));
    case 'done':
      return changed(uploads, event.key, (upload) => ({
        ...upload,
        state: 'done',
        progress: 1,
        uploaded: event.uploaded,
      }));
    case 'failed':
      return changed(uploads, event.key, (upload) => ({
        ...upload,
        state: 'failed',
        error: event.error,
        mayRetry: event.mayRetry,
      }));
    case 'retried':
      return uploads.map((upload) => {
        if (upload.key !== event.key || upload.state !== 'failed') return upload;
        const { error: _, mayRetry: __, ...rest } = upload;
        return { ...rest, state: 'waiting', progress: 0 };
      });
    case 'removed':
      return uploads.filter(({ key }) => key !== event.key);
    case 'sent':
      return uploads.length === 0 ? uploads : [];
    default:
      return event satisfies never;
  }
}

/** Only a file that is being sent changes: what is told of one that is over comes too late. */
function changed(uploads: readonly Upload[], key: string, change: (upload: Upload) => Upload): readonly Upload[] {
  return uploads.map((upload) => (upload.key === key && upload.state === 'sending' ? change(upload) : upload));
}

export const isUploading = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ state }) => state === 'waiting' || state === 'sending');
export const hasFailed = (uploads: readonly Upload[]): boolean => uploads.some(({ state }) => state === 'failed');

/** What goes with the message: all of each record, so that it is shown at once; the service goes by its `id`. */
export const attachmentsOf = (uploads: readonly Upload[]): UploadedFile[] =>
  uploads.flatMap(({ uploaded }) => uploaded ?? []);
