import type { Attributes } from '@parley/markdown';
import { classNames } from '../../browser/class-names.ts';
import { CardLink, Rows } from './card.tsx';
import { attribute, otherRows, recordsOf, restOf } from './tag-values.ts';
import { direction } from './direction.ts';
import styles from './tags.module.css';

const tickerShown = [
  'symbol',
  'ticker',
  'primary',
  'name',
  'title',
  'price',
  'value',
  'currency',
  'change',
  'change_percent',
  'changePercent',
  'url',
  'items',
  'tickers',
];

/** A symbol with its price and change. */
export function TickerView({ data, isInner = false }: { data: Attributes; isInner?: boolean }) {
  const several = isInner ? [] : recordsOf(data, 'items', 'tickers');
  if (several.length > 0)
    return (
      <div className={styles['row']}>
        {several.map((one, at) => (
          <TickerView key={at} data={one} isInner />
        ))}
        <Rows rows={restOf(data, 'items', 'tickers')} />
      </div>
    );
  const symbol = attribute(data, 'symbol', 'ticker', 'primary');
  const name = attribute(data, 'name', 'title');
  const change = attribute(data, 'change');
  const percent = attribute(data, 'change_percent', 'changePercent');
  const moves = [change, percent === '' ? '' : `${percent}${percent.endsWith('%') ? '' : ' %'}`].filter(
    (text) => text !== '',
  );
  return (
    <div role="group" className={classNames(styles['card'], styles['ticker'])} aria-label={symbol || name}>
      <div className={styles['line']}>
        <span className={styles['title']}>{symbol || name}</span>
        <span className={styles['price']}>
          {attribute(data, 'price', 'value')} <small>{attribute(data, 'currency')}</small>
        </span>
      </div>
      <div className={styles['line']}>
        <span className={styles['subtitle']}>{symbol === '' ? '' : name}</span>
        <span className={direction(change || percent)}>{moves.join(' · ')}</span>
      </div>
      <Rows rows={otherRows(data, tickerShown)} />
      <CardLink address={attribute(data, 'url')} />
    </div>
  );
}
