// Files attached to the unsent message. May import: composer/composing and the rooms below composer.
import type { UploadedFile } from '@parley/protocol';

/** Maximum number of attachments in a message, as on the service. */
export const MAX_FILES = 10;

/** What a message says of a recorded sound beside its file (FILE-26). */
export interface Sound {
  readonly duration_ms: number;
  readonly waveform: string;
}

/** A file to attach to the unsent message. */
export interface NewUpload {
  readonly file: File;
  readonly sound?: Sound | undefined;
  /** The file holds a text that was pasted. */
  readonly isPasted?: boolean | undefined;
}

/** A file attached to the unsent message. */
export interface Upload extends NewUpload {
  readonly key: string;
  /** `waiting` means queued. */
  readonly state: 'waiting' | 'sending' | 'done' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error?: string;
  /** Whether a retry of a failed upload may succeed. */
  readonly mayRetry?: boolean;
  readonly uploaded?: UploadedFile;
  /** Of an upload in parts that has begun. */
  readonly address?: string | undefined;
}

export type UploadEvent =
  | { type: 'added'; uploads: readonly (NewUpload & { key: string })[] }
  | { type: 'restored'; upload: Upload }
  | { type: 'started'; key: string }
  | { type: 'begun'; key: string; address: string }
  | { type: 'postponed'; key: string }
  | { type: 'progressed'; key: string; progress: number }
  | { type: 'done'; key: string; uploaded: UploadedFile }
  | { type: 'failed'; key: string; error: string; mayRetry: boolean }
  | { type: 'retried'; key: string }
  | { type: 'removed'; key: string }
  | { type: 'sent' };

/** The reducer of a composer's files. */
export function afterUploadEvent(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  switch (event.type) {
    case 'added': {
      const added = event.uploads.slice(0, Math.max(0, MAX_FILES - uploads.length));
      return [...uploads, ...added.map((one) => ({ ...one, state: 'waiting', progress: 0 }) as const)];
    }
    case 'restored':
      return uploads.length < MAX_FILES ? [...uploads, event.upload] : uploads;
    case 'begun':
      return changed(uploads, event.key, (upload) => ({ ...upload, address: event.address }));
    case 'started':
      return uploads.map((one) =>
        one.key === event.key && one.state === 'waiting' ? { ...one, state: 'sending' } : one,
      );
    case 'postponed':
      return changed(uploads, event.key, (upload) => ({ ...upload, state: 'waiting' }));
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

/** Changes only a file that is uploading: events for an ended upload are stale. */
function changed(uploads: readonly Upload[], key: string, change: (upload: Upload) => Upload): readonly Upload[] {
  return uploads.map((upload) => (upload.key === key && upload.state === 'sending' ? change(upload) : upload));
}

export const isUploading = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ state }) => state === 'waiting' || state === 'sending');
export const hasFailed = (uploads: readonly Upload[]): boolean => uploads.some(({ state }) => state === 'failed');

/** The attachments to send: the full records, to show them at once; the service reads only `id`. */
export const attachmentsOf = (uploads: readonly Upload[]): (UploadedFile & Partial<Sound>)[] =>
  uploads.flatMap(({ uploaded, sound }) => (uploaded ? { ...uploaded, ...sound } : []));
