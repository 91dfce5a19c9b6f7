import { ApiError } from '@parley/client';
import type { HttpErrorBody, UploadedFile } from '@parley/protocol';

interface UploadFileOptions {
  url: string;
  token: string;
  file: File;
  onProgress: (progress: number) => void;
  signal: AbortSignal;
}

/** Uploads a file with XMLHttpRequest, which reports progress. Throws ApiError, or TypeError on network failure. */
export function uploadFile({ url, token, file, onProgress, signal }: UploadFileOptions): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.set('file', file, file.name);
    request.open('POST', `${url}/api/uploadFile`);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      try {
        resolve(resultOf(request.status, request.responseText));
      } catch (error) {
        reject(error instanceof Error ? error : new TypeError('the upload failed'));
      }
    });
    request.addEventListener('error', () => reject(new TypeError('the upload failed')));
    request.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
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
