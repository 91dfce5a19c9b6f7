import { storage } from '../browser/storage.ts';

/** localStorage key: set while this browser may keep files of unsent messages, so that other pages open no database. */
const HAS_UPLOADS = 'parley.has-uploads';

export const mayHaveUploads = (): boolean => storage.getItem(HAS_UPLOADS) !== null;
export const noteUploads = (): void => storage.setItem(HAS_UPLOADS, '1');
export const forgetUploads = (): void => storage.removeItem(HAS_UPLOADS);

/** Called when the browser forgets the session. The script that keeps files adds itself: it has loaded where some are kept. */
export const atForget = new Set<() => void>();
