import type { ComponentProps } from 'react';
import { Button } from '../button.tsx';
import { t } from '../../words/t.ts';
import styles from './save-buttons.module.css';

interface SaveButtonsProps {
  isBusy: boolean;
  isDone: boolean;
  look?: ComponentProps<typeof Button>['look'];
}

/** The end of a form that stays open: a button that saves it, and the note that it is saved. */
export function SaveButtons({ isBusy, isDone, look = 'primary' }: SaveButtonsProps) {
  return (
    <div className={styles['buttons']}>
      <span className={styles['done']} role="status">
        {isDone ? t('Saved') : ''}
      </span>
      <Button type="submit" look={look} isBusy={isBusy}>
        {t('Save')}
      </Button>
    </div>
  );
}
