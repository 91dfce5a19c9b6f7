import type { ComponentProps } from 'react';
import { Button } from '../button.tsx';
import { Buttons } from '../layout/buttons.tsx';
import { Saved } from '../states/done.tsx';
import { t } from '../../words/t.ts';

interface SaveButtonsProps {
  isBusy: boolean;
  isDone: boolean;
  look?: ComponentProps<typeof Button>['look'];
}

/** The end of a form that stays open: a button that saves it, and the note that it is saved. */
export const SaveButtons = ({ isBusy, isDone, look = 'primary' }: SaveButtonsProps) => (
  <Buttons>
    <Saved isDone={isDone} />
    <Button type="submit" look={look} isBusy={isBusy}>
      {t('Save')}
    </Button>
  </Buttons>
);
