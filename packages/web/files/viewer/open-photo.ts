// The viewer of photos and videos. May import: the files of the room above it that show no messages.
import type { StoredMessage } from '@parley/client/store';
import { createContext, use } from 'react';
import type { Attachment } from '../attachment.ts';

/** What the viewer knows of the message that holds a photo. */
export type PhotoMessage = Pick<
  StoredMessage,
  'id' | 'conversation_id' | 'channel_id' | 'thread_root_id' | 'sender' | 'created_at'
> & { readonly attachments: readonly Attachment[] };

export type OpenPhoto = (message: PhotoMessage, photo: Attachment) => void;

export const OpenPhotoContext = createContext<OpenPhoto | null>(null);

/** Opens the viewer at a photo or video. The function never changes. */
export function useOpenPhoto(): OpenPhoto {
  const open = use(OpenPhotoContext);
  if (!open) throw new Error('this component needs a ViewerPlace around it');
  return open;
}
