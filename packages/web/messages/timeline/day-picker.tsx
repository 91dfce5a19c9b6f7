import { Popover } from '@base-ui/react/popover';
import type { RefObject } from 'react';
import { useBackCloses } from '../../browser/overlays.ts';
import { DayForm } from '../../ui/forms/day-form.tsx';
import { t } from '../../words/t.ts';
import { dayStart } from '../../words/times.ts';
import styles from './day-line.module.css';

interface DayPickerProps {
  day: string;
  /** The button it opens at. */
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  onJump: (place: Date) => Promise<unknown>;
}

/** Asks for a day and jumps to it. */
export default function DayPicker({ day, anchor, onClose, onJump }: DayPickerProps) {
  useBackCloses(true, onClose);
  function go(chosen: string) {
    const start = dayStart(chosen);
    onClose();
    if (start) void onJump(start);
  }
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} className="ui-above" sideOffset={4} collisionPadding={8}>
          <Popover.Popup className={styles['popup']} aria-label={t('Go to a day')} finalFocus={anchor}>
            <DayForm day={new Date(day)} onChoose={go} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
