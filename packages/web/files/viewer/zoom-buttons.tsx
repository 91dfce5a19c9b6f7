import { ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/t.ts';
import styles from './viewer-frame.module.css';

interface ZoomButtonsProps {
  isWhole: boolean;
  zoomIn: () => void;
  zoomOut: () => void;
}

export function ZoomButtons({ isWhole, zoomIn, zoomOut }: ZoomButtonsProps) {
  return (
    <span className={styles['zooms']}>
      <IconButton label={t('Zoom out')} icon={<ZoomOut />} disabled={isWhole} onClick={zoomOut} />
      <IconButton label={t('Zoom in')} icon={<ZoomIn />} onClick={zoomIn} />
    </span>
  );
}
