import type { StoredMessage } from '@parley/client/store';
import { fileAddress, imageAddress } from '@parley/markdown';
import { ImageOff } from 'lucide-react';
import { classNames } from '../browser/class-names.ts';
import { RemoteImage } from '../markdown/views/remote-image.tsx';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { isOwn } from './own-address.ts';
import { photoRows } from './photo-rows.ts';
import { useFileAddress } from './use-file-address.ts';
import { useOpenFile } from './open-file.ts';
import { t } from '../words/t.ts';

const MAX_WIDTH = 420;
const MAX_HEIGHT = 340;
const UNKNOWN = { width: 320, height: 240 };

/** Photos, laid out at their final size before they load: one in its proportions, several as a grid. */
export function PhotoGrid({ message, photos }: { message: StoredMessage; photos: readonly Attachment[] }) {
  const [first] = photos;
  if (photos.length === 1 && first) return <Photo message={message} photo={first} size={sizeOf(first)} />;
  const perRow = photoRows(photos.length).flatMap((count) => Array.from({ length: count }, () => count));
  return (
    <div className={styles['grid']}>
      {photos.map((photo, at) => (
        <Photo key={photo.id ?? at} message={message} photo={photo} place={perRow[at] === 2 ? 'half' : 'third'} />
      ))}
    </div>
  );
}

interface PhotoProps {
  message: StoredMessage;
  photo: Attachment;
  /** Of a photo that stands alone. */
  size?: { width: number; height: number };
  /** The part of a grid's row that it takes. */
  place?: 'half' | 'third';
}

function Photo({ message, photo, size, place }: PhotoProps) {
  const { file, isLost, onFail } = useFileAddress(message.id, photo);
  const open = useOpenFile();
  const name = photo.name ?? photo.title ?? t('Photo');
  const url = fileAddress(file.url ?? '') ?? '';
  if (!isOwn(url))
    return imageAddress(url) === undefined ? (
      <p>{`${name} ${file.url ?? ''}`}</p>
    ) : (
      <RemoteImage url={url} alt={photo.alt ?? name} />
    );
  const thumbnail = file.thumbnail_url ?? '';
  const style = size && { width: size.width, aspectRatio: `${size.width} / ${size.height}` };
  if (isLost)
    return (
      <div className={classNames(styles['lost'], place && styles[place])} style={style}>
        <ImageOff />
        <span>{t('{name} can’t be loaded.', { name })}</span>
      </div>
    );
  return (
    <button
      type="button"
      className={classNames(styles['photo'], place && styles[place])}
      style={style}
      onClick={() => open(message, photo)}
      aria-label={t('Show {name}', { name: photo.alt ?? name })}
    >
      <img
        src={isOwn(thumbnail) ? thumbnail : url}
        alt={photo.alt ?? name}
        loading="lazy"
        decoding="async"
        onError={onFail}
      />
    </button>
  );
}

function sizeOf({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  // Very wide photos stay tall enough to click.
  return { width: Math.max(44, Math.round(width * scale)), height: Math.max(44, Math.round(height * scale)) };
}
