import { z } from 'zod';
import { file } from '../fields.ts';
import { operation } from '../operation.ts';
import { UploadedFile } from '../resources.ts';

export const fileOperations = {
  uploadFile: operation({
    summary:
      "Uploads one file, streamed as `multipart/form-data` in the field `file`, over HTTP only. Attach it to a message as `{ id }`; a file that no message holds is deleted after 24 hours. `url` and `thumbnail_url` are relative to the service's address and work for the reading account for up to 10 minutes.",
    upload: true,
    policy: { scope: 'send', rate: 'uploads', limitedSessions: true },
    input: z.object({ file: file() }),
    result: UploadedFile,
    errors: ['too_large'],
  }),
} as const;
