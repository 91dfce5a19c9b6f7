import { z } from 'zod';
import { file } from '../fields.ts';
import { operation } from '../operation.ts';
import { UploadedFile } from '../resources.ts';

export const fileOperations = {
  uploadFile: operation({
    summary:
      'Takes one file, streamed as `multipart/form-data` in the field `file`, over HTTP alone. `{ id }` is then enough as an attachment; a file that no message holds after 24 hours is removed. `url` and `thumbnail_url` begin at the service’s address, and serve the account that reads them for up to 10 minutes.',
    upload: true,
    input: z.object({ file: file() }),
    result: UploadedFile,
    errors: ['too_large'],
  }),
} as const;
