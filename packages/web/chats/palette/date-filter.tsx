import { useState } from 'react';
import { DayForm } from '../../ui/forms/day-form.tsx';
import { t } from '../../words/t.ts';
import styles from './message-filters.module.css';
import type { DateName, Modifier } from './search-text.ts';

/** Asks for a day, and whether messages of that day are wanted, earlier or later ones. */
export function DateFilter({ onChoose, onLeave }: { onChoose: (day: Modifier) => void; onLeave: () => void }) {
  const [name, setName] = useState<DateName>('on');
  const options: Record<DateName, string> = { on: t('On the day'), before: t('Before'), after: t('After') };
  const names = Object.keys(options) as DateName[]; // the keys of the line above
  return (
    <div
      className={styles['date']}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // It would close the palette too.
        event.stopPropagation();
        onLeave();
      }}
    >
      <select
        autoFocus
        aria-label={t('When')}
        value={name}
        onChange={({ target }) => setName(names.find((one) => one === target.value) ?? 'on')}
      >
        {names.map((one) => (
          <option key={one} value={one}>
            {options[one]}
          </option>
        ))}
      </select>
      <DayForm day={new Date()} action={t('Set')} onChoose={(value) => onChoose({ name, value })} />
    </div>
  );
}
