import type { UploadAnswer, UploadRequest } from '@parley/client/upload';

/** Sends a request of an upload with XMLHttpRequest, which reports progress. Rejects with TypeError without an answer. */
export function sendUpload({ method, url, headers, body, signal, onSent }: Sent): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent?.(loaded));
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      }),
    );
    request.addEventListener('error', () => reject(new TypeError('the upload failed')));
    request.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body ?? null);
  });
}

type Sent = Omit<UploadRequest, 'body'> & { body?: Blob | FormData };
