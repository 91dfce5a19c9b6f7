// Files for messages; they are uploaded over HTTP only.
import { live } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default live('uploadFile', { addsData: true }, ({ caller }, { file }, { files }: Needs<'files'>) =>
  files.upload(caller, file),
);
