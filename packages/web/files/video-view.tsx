import { classNames } from '../browser/class-names.ts';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { FileRow } from './file-row.tsx';
import { usePlayback } from './use-playback.ts';
import type { ViewedMessage } from './open-file.ts';
import { t } from '../words/t.ts';

interface VideoViewProps {
  message: ViewedMessage;
  attachment: Attachment;
  className?: string | undefined;
}

/** A video with the browser's controls, of which only the beginning is loaded until it plays. */
export function VideoView({ message, attachment, className }: VideoViewProps) {
  const { element, isLost } = usePlayback(message.id, attachment);
  if (isLost) return <FileRow message={message} attachment={attachment} />;
  return (
    <video
      {...element}
      className={classNames(styles['video'], className)}
      controls
      playsInline
      preload="metadata"
      aria-label={attachment.name ?? t('Video')}
    />
  );
}
