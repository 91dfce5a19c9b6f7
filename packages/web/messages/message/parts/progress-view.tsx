import type { PartOf } from '@parley/protocol';
import { useId } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import styles from './parts.module.css';
import { locale } from '../../../words/language.ts';
import { partText } from '../../../words/part-text.ts';
import { t } from '../../../words/t.ts';

const numbers = new Intl.NumberFormat(locale);

/** How far an agent is. Once the reply has ended, a bar without a known end is left out. */
export function ProgressView({ part, isLive }: { part: PartOf<'progress'>; isLive: boolean }) {
  const id = useId();
  const { done, total } = part;
  const isMeasured = done !== undefined && total !== undefined && total > 0;
  const now = isMeasured ? Math.min(done, total) : undefined;
  const amount =
    done === undefined
      ? null
      : isMeasured
        ? t('{number, number} of {count, number}', { number: done, count: total })
        : numbers.format(done);
  return (
    <div className={styles['progress']}>
      <p id={id} className={styles['caption']}>
        <span dir="auto">{partText(part) || t('Progress')}</span>
        {amount === null ? null : <span className={styles['amount']}>{amount}</span>}
      </p>
      {isMeasured || isLive ? (
        <div
          className={classNames(styles['track'], !isLive && styles['over'])}
          role="progressbar"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={isMeasured ? total : undefined}
          aria-valuenow={now}
          aria-valuetext={amount ?? undefined}
        >
          <div
            className={isMeasured ? styles['bar'] : styles['unmeasured']}
            style={now === undefined || total === undefined ? undefined : { width: `${(now / total) * 100}%` }}
          />
        </div>
      ) : null}
    </div>
  );
}
