// The viewer of photos, videos and documents. May import: documents/, and the files of the room above it that show no
// messages.
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { Attachment } from '../attachment.ts';
import { isShown } from './gallery.ts';
import { type OpenFile, OpenFileContext, type ViewedMessage } from '../open-file.ts';

const PhotoViewer = lazy(async () => import('./photo-viewer.tsx'));
const DocumentViewer = lazy(async () => import('./document-viewer.tsx'));

/** Holds the viewer outside the timeline, whose rows come and go. Its scripts load when they are first needed. */
export function ViewerPlace({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ message: ViewedMessage; file: Attachment } | null>(null);
  const open = useCallback<OpenFile>((message, file) => setShown({ message, file }), []);
  const Viewer = shown && isShown(shown.file) ? PhotoViewer : DocumentViewer;
  return (
    <OpenFileContext value={open}>
      {children}
      {shown ? (
        <Suspense fallback={null}>
          <Viewer {...shown} onClose={() => setShown(null)} />
        </Suspense>
      ) : null}
    </OpenFileContext>
  );
}
