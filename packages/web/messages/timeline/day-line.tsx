import { lazy, Suspense, useRef, useState } from 'react';
import { t } from '../../words/t.ts';
import { dayOf } from '../../words/times.ts';
import styles from './day-line.module.css';

const DayPicker = lazy(async () => import('./day-picker.tsx'));

/** The divider between two days. A click opens the day picker. */
export function DayLine({ day, onJump }: { day: string; onJump: (place: Date) => Promise<unknown> }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles['day']}>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        title={t('Go to a day')}
        aria-label={t('{day}. Go to a day', { day: dayOf(day) })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        {dayOf(day)}
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <DayPicker day={day} anchor={button} onClose={() => setIsOpen(false)} onJump={onJump} />
        </Suspense>
      ) : null}
    </div>
  );
}
