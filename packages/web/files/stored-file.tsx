import type { Attachment } from './attachment.ts';
import { FileRow } from './file-row.tsx';
import { playableAs } from './playable.ts';
import { SoundPlayer } from './sound/sound-player.tsx';
import { VideoView } from './video-view.tsx';

/** A file in the way that it is shown: played in place, or as a row to download it. */
export function StoredFile({ messageId, attachment }: { messageId: string; attachment: Attachment }) {
  const as = playableAs(attachment);
  if (as === 'audio') return <SoundPlayer messageId={messageId} attachment={attachment} />;
  return (
    <>
      {as === 'video' ? <VideoView messageId={messageId} attachment={attachment} /> : null}
      <FileRow messageId={messageId} attachment={attachment} />
    </>
  );
}
