// Files that are sent in messages: their bytes come by HTTP alone.
import uploadFile from './uploadFile.ts';

export const fileHandlers = { uploadFile };
