import type { Inline } from '@parley/markdown';
import type { ReactNode } from 'react';
import { go } from './footnote-mark.tsx';
import { Inlines } from './inlines.tsx';
import styles from './markdown.module.css';
import { t } from '../../words/t.ts';

interface FootnoteViewProps {
  number: number;
  inlines: readonly Inline[];
  tail: ReactNode;
}

/** A footnote, where it is written; its number leads back to the text (WEB-177). */
export function FootnoteView({ number, inlines, tail }: FootnoteViewProps) {
  return (
    <div className={styles['footnote']} role="note" dir="auto">
      <button
        type="button"
        className={styles['footnoteMark']}
        aria-label={t('Footnote {number, number}, back to the text', { number })}
        data-footnote={number}
        onClick={(event) => go(event, `[data-footnote-mark="${number}"]`)}
      >
        {number}
      </button>
      <p className={styles['paragraph']}>
        <Inlines inlines={inlines} />
        {tail}
      </p>
    </div>
  );
}
