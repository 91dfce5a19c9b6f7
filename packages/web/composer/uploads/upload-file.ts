import { ApiError } from '@parley/client';
import { FileUpload, WHOLE_FILE_BYTES } from '@parley/client/upload';
import type { HttpErrorBody, UploadedFile } from '@parley/protocol';
import { sendUpload } from './send-upload.ts';

interface UploadFileOptions {
  url: string;
  token: () => string;
  file: File;
  /** Where an earlier page began the upload. */
  address?: string | undefined;
  /** Receives where the upload of a large file has begun. */
  onBegun: (address: string) => void;
  /** Receives how much has been sent, from 0 to 1. */
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

/** The uploads of large files that have begun: another attempt continues them. */
const begun = new WeakMap<File, FileUpload>();

/** Uploads a file; a large one from where an earlier attempt ended. Throws ApiError, or TypeError on network failure. */
export function uploadFile(options: UploadFileOptions): Promise<UploadedFile> {
  const { url, token, file, address, onBegun, onProgress, signal } = options;
  signal.throwIfAborted();
  if (file.size <= WHOLE_FILE_BYTES) return uploadWhole(options);
  const upload = begun.get(file) ?? new FileUpload({ url, token, file, address, onBegun, send: sendUpload });
  begun.set(file, upload);
  return upload.run({ signal, onProgress: (bytes) => onProgress(bytes / file.size) });
}

async function uploadWhole({ url, token, file, onProgress, signal }: UploadFileOptions): Promise<UploadedFile> {
  const form = new FormData();
  form.set('file', file, file.name);
  const { status, text } = await sendUpload({
    method: 'POST',
    url: `${url}/api/uploadFile`,
    headers: { authorization: ['Bearer', token()].join(' ') },
    body: form,
    signal,
    onSent: (bytes) => onProgress(file.size > 0 ? Math.min(1, bytes / file.size) : 0),
  });
  return resultOf(status, text);
}

function resultOf(status: number, text: string): UploadedFile {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    // A proxy answered instead of the service.
  }
  if (typeof reply === 'object' && reply !== null) {
    // The service answers in one of these forms.
    const known = reply as { ok?: unknown; result?: UploadedFile; error_code?: unknown };
    if (known.ok === true && known.result) return known.result;
    if (typeof known.error_code === 'string') throw new ApiError(status, reply as HttpErrorBody);
  }
  const isTooLarge = status === 413;
  throw new ApiError(status, {
    error_code: isTooLarge ? 'too_large' : status >= 502 ? 'unavailable' : 'internal',
    description: isTooLarge ? 'the file is too large' : 'the upload failed',
  });
}
