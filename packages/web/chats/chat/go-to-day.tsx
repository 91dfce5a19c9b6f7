import { lazy, Suspense } from 'react';

const Dialog = lazy(async () => import('./go-to-day-dialog.tsx'));

/** The dialog that goes to a day of the open conversation; its script loads when it first opens. */
export const GoToDay = ({ onClose }: { onClose: () => void }) => (
  <Suspense fallback={null}>
    <Dialog onClose={onClose} />
  </Suspense>
);
