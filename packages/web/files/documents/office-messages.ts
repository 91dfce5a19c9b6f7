import type { OfficeDocument } from '@parley/office';

/** What the worker that reads office files sends: that its script has loaded, then its answer to the one file. */
export type OfficeReply =
  | { readonly type: 'ready' }
  | { readonly type: 'read'; readonly document: OfficeDocument }
  /** The file needs a password, or is not what its type says. */
  | { readonly type: 'failed'; readonly isLocked: boolean };
