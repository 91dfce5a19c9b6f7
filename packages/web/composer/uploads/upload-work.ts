// What uploads need beyond their list. Loads with the first file.
import { ApiError, type Client } from '@parley/client';
import { browserClock } from '../../browser/browser-clock.ts';
import { uploadFailure } from './upload-failure.ts';
import { uploadFile } from './upload-file.ts';
import { UploadQueue } from './upload-queue.ts';
import type { UploadEvent } from './uploads.ts';

export const queueFor = (client: Client, tell: (event: UploadEvent) => void): UploadQueue =>
  new UploadQueue({
    clock: browserClock,
    tell,
    failure: uploadFailure,
    isOffline: () => !navigator.onLine,
    send: ({ file, address }, way) => uploadFile({ url: client.url, token: () => client.token, file, address, ...way }),
  });

/** Words what the service would say of a file above its limit. */
export const tooLarge = (most: number): { error: string; mayRetry: boolean } =>
  uploadFailure(new ApiError(413, { error_code: 'too_large', description: `the file is larger than ${most} bytes` }));
