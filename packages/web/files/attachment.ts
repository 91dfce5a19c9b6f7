import type { StoredMessage } from '@parley/client/store';

export type Attachment = StoredMessage['attachments'][number];
