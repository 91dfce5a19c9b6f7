import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { Attachment } from '../attachment.ts';
import { type OpenPhoto, OpenPhotoContext, type PhotoMessage } from './open-photo.ts';

const PhotoViewer = lazy(async () => import('./photo-viewer.tsx'));

/** Holds the viewer outside the timeline, whose rows come and go. Its script loads when it first opens. */
export function ViewerPlace({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ message: PhotoMessage; photo: Attachment } | null>(null);
  const open = useCallback<OpenPhoto>((message, photo) => setShown({ message, photo }), []);
  return (
    <OpenPhotoContext value={open}>
      {children}
      {shown ? (
        <Suspense fallback={null}>
          <PhotoViewer {...shown} onClose={() => setShown(null)} />
        </Suspense>
      ) : null}
    </OpenPhotoContext>
  );
}
