import { lazy, Suspense } from 'react';
import type { Attachment } from './attachment.ts';
import { FileRow } from './file-row.tsx';
import { playableAs } from './playable.ts';
import type { ViewedMessage } from './open-file.ts';
import { VideoView } from './video-view.tsx';

const SoundPlayer = lazy(async () => import('./sound/sound-player.tsx'));

/** A file in the way that it is shown: played in place, or as a row that opens or downloads it. */
export function StoredFile({ message, attachment }: { message: ViewedMessage; attachment: Attachment }) {
  const as = playableAs(attachment);
  if (as === 'audio')
    return (
      <Suspense fallback={null}>
        <SoundPlayer message={message} attachment={attachment} />
      </Suspense>
    );
  return (
    <>
      {as === 'video' ? <VideoView message={message} attachment={attachment} /> : null}
      <FileRow message={message} attachment={attachment} />
    </>
  );
}
