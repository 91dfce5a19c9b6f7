import { lazy, Suspense } from 'react';

const Dialog = lazy(async () => import('./scheduled-dialog.tsx'));

/** The dialog that lists what is scheduled in all conversations; its script loads when it first opens. */
export const Scheduled = ({ onClose }: { onClose: () => void }) => (
  <Suspense fallback={null}>
    <Dialog onClose={onClose} />
  </Suspense>
);
