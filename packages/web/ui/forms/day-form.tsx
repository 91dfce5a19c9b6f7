import { useRef } from 'react';
import { t } from '../../words/t.ts';
import { dayStart, dayText } from '../../words/times.ts';
import { Button } from '../button.tsx';
import styles from './day-form.module.css';

interface DayFormProps {
  /** The day that the field starts with. */
  day: Date;
  /** The text of the button. */
  action?: string;
  /** Receives a day of `dayText`. */
  onChoose: (day: string) => void;
}

/** Asks for a day that is not in the future. */
export function DayForm({ day, action = t('Go'), onChoose }: DayFormProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = input.current?.value ?? '';
        if (dayStart(chosen)) onChoose(chosen);
      }}
    >
      <input
        ref={input}
        type="date"
        aria-label={t('Day')}
        required
        defaultValue={dayText(day)}
        max={dayText(new Date())}
      />
      <Button type="submit" size="small" look="primary">
        {action}
      </Button>
    </form>
  );
}
