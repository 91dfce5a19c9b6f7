// Starting a conversation. May import: chats/chat, chats/people and the rooms below chats.
import { lazy, Suspense } from 'react';

const Dialog = lazy(async () => import('./new-chat-dialog.tsx'));

/** The dialog that starts a conversation; its script loads when it first opens. */
export const NewChat = ({ onClose }: { onClose: () => void }) => (
  <Suspense fallback={null}>
    <Dialog onClose={onClose} />
  </Suspense>
);
