import { Dialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, Download, MessageSquare, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { chatRoute } from '../../browser/route.ts';
import { IconButton } from '../../ui/button.tsx';
import { arrows } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import { fullTime } from '../../words/times.ts';
import { shownName } from '../../words/shown-name.ts';
import type { Attachment } from '../attachment.ts';
import { useDownload } from '../use-download.ts';
import { useFileAddress } from '../use-file-address.ts';
import type { GalleryItem } from './gallery.ts';
import type { PhotoMessage } from './open-photo.ts';
import styles from './photo-viewer.module.css';
import { StagedFile } from './staged-file.tsx';
import { useGallery } from './use-gallery.ts';
import { useZoom } from './use-zoom.ts';

interface PhotoViewerProps {
  message: PhotoMessage;
  photo: Attachment;
  onClose: () => void;
}

/** Shows a photo or video over the whole page, and leads to the others of the conversation. */
export default function PhotoViewer({ message, photo, onClose }: PhotoViewerProps) {
  const { item, beside, hasPrevious, hasNext, move } = useGallery(message, photo);
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const zooming = useZoom(stage, turn);
  useBackCloses(true, onClose);
  const early = beside.flatMap(({ kind, url }) => (kind === 'photo' && url !== undefined ? url : [])).join(' ');
  useEffect(() => {
    for (const url of early.split(' ')) if (url !== '') new Image().src = url;
  }, [early]);
  if (!item) return null;

  function turn(by: -1 | 1) {
    zooming.reset();
    move(by);
  }
  const keys: Readonly<Record<string, () => void>> = {
    [arrows.back]: () => turn(-1),
    [arrows.forward]: () => turn(1),
    '+': zooming.zoomIn,
    '=': zooming.zoomIn,
    '-': zooming.zoomOut,
    '0': zooming.reset,
  };
  function press(event: KeyboardEvent) {
    const act = keys[event.key];
    // A video has keys of its own.
    if (!act || event.target instanceof HTMLVideoElement || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }
  const { file, message: holder } = item;
  const about = `${shownName(holder.sender)} · ${fullTime(holder.created_at)}`;
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Popup className={styles['viewer']} onKeyDown={press} data-viewer>
          <header className={styles['header']}>
            <div className={styles['about']}>
              <Dialog.Title className={styles['title']}>{nameOf(file)}</Dialog.Title>
              <Dialog.Description className={styles['when']}>{about}</Dialog.Description>
            </div>
            {file.kind === 'photo' ? (
              <span className={styles['zooms']}>
                <IconButton
                  label={t('Zoom out')}
                  icon={<ZoomOut />}
                  disabled={zooming.zoom.scale === 1}
                  onClick={zooming.zoomOut}
                />
                <IconButton label={t('Zoom in')} icon={<ZoomIn />} onClick={zooming.zoomIn} />
              </span>
            ) : null}
            <ItemButtons key={item.key} item={item} onClose={onClose} />
            <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
          </header>
          <div ref={setStage} className={styles['stage']}>
            <StagedFile key={item.key} item={item} zooming={zooming} />
          </div>
          {hasPrevious ? (
            <IconButton
              className={classNames(styles['turn'], styles['previous'])}
              label={t('Previous')}
              icon={<ChevronLeft />}
              onClick={() => turn(-1)}
            />
          ) : null}
          {hasNext ? (
            <IconButton
              className={classNames(styles['turn'], styles['next'])}
              label={t('Next')}
              icon={<ChevronRight />}
              onClick={() => turn(1)}
            />
          ) : null}
          <p className={styles['spoken']} role="status">
            {`${nameOf(file)}, ${about}`}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ItemButtons({ item: { message, file }, onClose }: { item: GalleryItem; onClose: () => void }) {
  const navigate = useNavigate();
  const { refresh } = useFileAddress(message.id, file);
  const { download, isFailed } = useDownload(refresh, nameOf(file));
  function showInChat() {
    const { id, conversation_id, channel_id, thread_root_id } = message;
    onClose();
    navigate(chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }));
  }
  return (
    <>
      <IconButton
        label={isFailed ? t('Not available right now. Try again.') : t('Download')}
        icon={<Download />}
        onClick={() => void download()}
      />
      <IconButton label={t('Show in chat')} icon={<MessageSquare />} onClick={showInChat} />
    </>
  );
}

const nameOf = ({ name, kind }: Attachment): string => name ?? (kind === 'photo' ? t('Photo') : t('Video'));
