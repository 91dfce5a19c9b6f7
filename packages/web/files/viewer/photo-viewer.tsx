import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { IconButton } from '../../ui/button.tsx';
import { arrows } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';
import { photosAndVideos } from './gallery.ts';
import styles from './photo-viewer.module.css';
import { StagedFile } from './staged-file.tsx';
import { useGallery } from './use-gallery.ts';
import { useZoom } from './use-zoom.ts';
import { ViewerFrame } from './viewer-frame.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

interface PhotoViewerProps {
  message: ViewedMessage;
  file: Attachment;
  onClose: () => void;
}

/** Shows a photo or video over the whole page, and leads to the others of the conversation. */
export default function PhotoViewer({ message, file: opened, onClose }: PhotoViewerProps) {
  const { item, beside, hasPrevious, hasNext, move } = useGallery(message, opened, photosAndVideos);
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const zooming = useZoom(stage, turn);
  const early = beside.flatMap(({ kind, url }) => (kind === 'photo' && url !== undefined ? url : [])).join(' ');
  useEffect(() => {
    for (const url of early.split(' ')) if (url !== '') new Image().src = url;
  }, [early]);
  if (!item) return null;

  function turn(by: -1 | 1) {
    zooming.reset();
    move(by);
  }
  const keys = {
    [arrows.back]: () => turn(-1),
    [arrows.forward]: () => turn(1),
    '+': zooming.zoomIn,
    '=': zooming.zoomIn,
    '-': zooming.zoomOut,
    '0': zooming.reset,
  };
  const { zoomIn, zoomOut, zoom } = zooming;
  const buttons =
    item.file.kind === 'photo' ? (
      <span className={styles['zooms']}>
        <ZoomButtons isWhole={zoom.scale === 1} {...{ zoomIn, zoomOut }} />
      </span>
    ) : null;
  return (
    <ViewerFrame message={item.message} file={item.file} buttons={buttons} keys={keys} onClose={onClose}>
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
    </ViewerFrame>
  );
}
