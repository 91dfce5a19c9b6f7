import { lazy, Suspense } from 'react';

const Dialog = lazy(async () => import('./new-chat-dialog.tsx'));

/** Starts a conversation. Its script comes when it is first wanted. */
export const NewChat = ({ onClose }: { onClose: () => void }) => (
  <Suspense fallback={null}>
    <Dialog onClose={onClose} />
  </Suspense>
);
