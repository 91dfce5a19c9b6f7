import { live } from '../handler.ts';

export default live('uploadFile', ({ service, caller }, { file }) => service.files.upload(caller, file));
