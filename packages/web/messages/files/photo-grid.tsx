import type { StoredMessage } from '@parley/client/store';
import { fileAddress, imageAddress } from '@parley/markdown';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { RemoteImage } from '../../markdown/views/remote-image.tsx';
import { LazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import type { Attachment } from './attachment.ts';
import styles from './attachments.module.css';
import { useFileAddress } from './use-file-address.ts';

const MOST_WIDTH = 420;
const MOST_HEIGHT = 340;
const UNKNOWN = { width: 320, height: 240 };

/** Photos, laid out at their final size before they load. A click shows one large. */
export function PhotoGrid({ message, photos }: { message: StoredMessage; photos: readonly Attachment[] }) {
  return (
    <div className={styles['photos']}>
      {photos.map((photo, at) => (
        <Photo key={photo.id ?? at} message={message} photo={photo} isAlone={photos.length === 1} />
      ))}
    </div>
  );
}

interface PhotoProps {
  message: StoredMessage;
  photo: Attachment;
  isAlone: boolean;
}

function Photo({ message, photo, isAlone }: PhotoProps) {
  const { file, isLost, onFail } = useFileAddress(message, photo);
  const [isOpen, setIsOpen] = useState(false);
  const name = photo.name ?? photo.title ?? 'Photo';
  const url = fileAddress(file.url ?? '') ?? '';
  if (!isOwn(url))
    return imageAddress(url) === undefined ? (
      <p>{`${name} ${file.url ?? ''}`}</p>
    ) : (
      <RemoteImage url={url} alt={name} />
    );
  const thumbnail = file.thumbnail_url ?? '';
  const { width, height } = isAlone ? sizeOf(photo) : { width: 160, height: 160 };
  if (isLost)
    return (
      <div className={styles['lost']} style={{ width, aspectRatio: `${width} / ${height}` }}>
        <ImageOff />
        <span>{name} cannot be loaded.</span>
      </div>
    );
  return (
    <>
      <button
        type="button"
        className={styles['photo']}
        style={{ width, aspectRatio: `${width} / ${height}` }}
        onClick={() => setIsOpen(true)}
        aria-label={`Show ${name}`}
      >
        <img src={isOwn(thumbnail) ? thumbnail : url} alt={name} loading="lazy" decoding="async" onError={onFail} />
      </button>
      <LazyDialog title={name} isOpen={isOpen} onClose={() => setIsOpen(false)} shape="wide">
        <img
          className={styles['large']}
          src={url}
          alt={name}
          width={photo.width}
          height={photo.height}
          onError={onFail}
        />
        <p className={styles['original']}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            Open the original
          </a>
        </p>
      </LazyDialog>
    </>
  );
}

/** Whether an address is on this service: images from other hosts are not loaded (WEB-2). */
const isOwn = (url: string): boolean =>
  url !== '' && URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;

function sizeOf({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  // Very wide photos stay tall enough to click.
  return { width: Math.max(44, Math.round(width * scale)), height: Math.max(44, Math.round(height * scale)) };
}
