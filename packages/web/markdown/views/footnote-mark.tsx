import type { MouseEvent } from 'react';
import styles from './markdown.module.css';
import { t } from '../../words/t.ts';

/** The number of a footnote in the text; a click leads to the footnote (WEB-177). */
export function FootnoteMark({ number }: { number: number }) {
  return (
    <sup>
      <button
        type="button"
        className={styles['footnoteMark']}
        aria-label={t('Footnote {number, number}', { number })}
        data-footnote-mark={number}
        onClick={(event) => go(event, `[data-footnote="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  );
}

/** Moves the focus, and the view, to the first match in the same message. */
export function go({ currentTarget }: MouseEvent<HTMLElement>, selector: string): void {
  const target = currentTarget.closest('[data-text]')?.querySelector<HTMLElement>(selector);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'nearest' });
}
