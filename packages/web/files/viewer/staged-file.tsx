import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Spinner } from '../../ui/states/spinner.tsx';
import { useFileAddress } from '../use-file-address.ts';
import { VideoView } from '../video-view.tsx';
import type { GalleryItem } from './gallery.ts';
import styles from './photo-viewer.module.css';
import type { Zooming } from './use-zoom.ts';
import { t } from '../../words/t.ts';

/** The file on the viewer's stage: a photo that can be zoomed, over its thumbnail until it has loaded, or a video. */
export function StagedFile({ item: { message, file }, zooming }: { item: GalleryItem; zooming: Zooming }) {
  const address = useFileAddress(message.id, file);
  const [isLoaded, setIsLoaded] = useState(false);
  const { url, thumbnail_url: thumbnail } = address.file;
  if (file.kind !== 'photo') return <VideoView message={message} attachment={file} className={styles['video']} />;
  if (address.isLost)
    return (
      <p className={styles['lost']}>
        <ImageOff aria-hidden />{' '}
        {file.name === undefined ? t('This photo can’t be loaded.') : t('{name} can’t be loaded.', { name: file.name })}
      </p>
    );
  const { zoom, dragged, handlers } = zooming;
  // Small photos are not enlarged.
  const style = { maxWidth: file.width, maxHeight: file.height };
  const transform = `translate(${zoom.x + dragged}px, ${zoom.y}px) scale(${zoom.scale})`;
  return (
    <div className={styles['photo']} style={{ transform }} data-zoom={zoom.scale} {...handlers}>
      {isLoaded || thumbnail === undefined ? null : <img style={style} src={thumbnail} alt="" draggable={false} />}
      {isLoaded ? null : <Spinner label={t('Loading the photo')} />}
      <img
        style={style}
        src={url}
        alt={file.name ?? t('Photo')}
        draggable={false}
        onLoad={() => setIsLoaded(true)}
        onError={address.onFail}
      />
    </div>
  );
}
