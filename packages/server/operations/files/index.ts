// Files for messages; they are uploaded over HTTP only.
import uploadFile from './uploadFile.ts';

export const fileHandlers = { uploadFile };
