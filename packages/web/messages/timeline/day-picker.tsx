import { Popover } from '@base-ui/react/popover';
import { type RefObject, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
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
  const input = useRef<HTMLInputElement>(null);
  function go(value: string) {
    const date = new Date(`${value}T00:00`);
    if (Number.isNaN(date.getTime())) return;
    onClose();
    void onJump(date);
  }
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} className={styles['positioner']} sideOffset={4} collisionPadding={8}>
          <Popover.Popup className={styles['popup']} aria-label="Go to a day" finalFocus={anchor}>
            <form
              className={styles['form']}
              onSubmit={(event) => {
                event.preventDefault();
                go(input.current?.value ?? '');
              }}
            >
              <input
                ref={input}
                type="date"
                aria-label="Day"
                required
                defaultValue={dateText(new Date(day))}
                max={dateText(new Date())}
              />
              <Button type="submit" size="small" look="primary">
                Go
              </Button>
            </form>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** For example 2026-11-21, in local time. */
const dateText = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
