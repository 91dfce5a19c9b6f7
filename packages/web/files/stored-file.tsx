import type { Attachment } from './attachment.ts';
import { FileRow } from './file-row.tsx';
import { playableAs } from './playable.ts';
import { SoundPlayer } from './sound/sound-player.tsx';
import type { ViewedMessage } from './open-file.ts';
import { VideoView } from './video-view.tsx';

/** A file in the way that it is shown: played in place, or as a row that opens or downloads it. */
export function StoredFile({ message, attachment }: { message: ViewedMessage; attachment: Attachment }) {
  const as = playableAs(attachment);
  if (as === 'audio') return <SoundPlayer message={message} attachment={attachment} />;
  return (
    <>
      {as === 'video' ? <VideoView message={message} attachment={attachment} /> : null}
      <FileRow message={message} attachment={attachment} />
    </>
  );
}
