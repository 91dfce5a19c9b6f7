import { Popover } from '@base-ui/react/popover';
import { useRef, useState } from 'react';
import { dayOf } from '../app/times.ts';
import { Button } from '../ui/button.tsx';
import styles from './day-line.module.css';

/** 2026-11-21, of the reader's own calendar. */
const dateText = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The line between two days; a click on it leads to another day. */
export function DayLine({ day, onJump }: { day: string; onJump: (place: Date) => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  function go(value: string) {
    const date = new Date(`${value}T00:00`);
    if (Number.isNaN(date.getTime())) return;
    setIsOpen(false);
    void onJump(date);
  }
  return (
    <div className={styles['day']}>
      <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
        <Popover.Trigger className={styles['button']} title="Go to a day" aria-label={`${dayOf(day)}. Go to a day`}>
          {dayOf(day)}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner className={styles['positioner']} sideOffset={4} collisionPadding={8}>
            <Popover.Popup className={styles['popup']} aria-label="Go to a day">
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
    </div>
  );
}
