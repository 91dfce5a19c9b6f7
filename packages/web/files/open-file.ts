import type { StoredMessage } from '@parley/client/store';
import { createContext, use } from 'react';
import type { Attachment } from './attachment.ts';

/** What the viewer knows of the message that holds a file. */
export type ViewedMessage = Pick<
  StoredMessage,
  'id' | 'conversation_id' | 'channel_id' | 'thread_root_id' | 'sender' | 'created_at'
> & { readonly attachments: readonly Attachment[] };

export type OpenFile = (message: ViewedMessage, file: Attachment) => void;

export const OpenFileContext = createContext<OpenFile | null>(null);

/** Opens the viewer at a photo, a video or a document. The function never changes. */
export function useOpenFile(): OpenFile {
  const open = use(OpenFileContext);
  if (!open) throw new Error('this component needs a ViewerPlace around it');
  return open;
}
