import type { Attributes } from '@parley/markdown';
import { classNames } from '../../browser/class-names.ts';
import { Rows } from './card.tsx';
import { attribute, numberOf, otherRows, recordsOf, restOf, textOfValue, titleOf } from './tag-values.ts';
import { direction } from './direction.ts';
import styles from './tags.module.css';
import { t } from '../../words/t.ts';

const lists = ['positions', 'items', 'rows', 'holdings'] as const;

/** Maximum columns that are drawn: each row may have others. */
const MAX_COLUMNS = 20;

/** A table of positions. Its columns are the keys of the rows. */
export function PositionsView({ data }: { data: Attributes }) {
  const rows = recordsOf(data, ...lists);
  const title = attribute(data, 'title', 'name', 'primary');
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
  return (
    <div role="group" className={styles['card']} aria-label={title || t('Positions')}>
      {title === '' ? null : <p className={styles['title']}>{title}</p>}
      {rows.length === 0 ? null : (
        <div className="ui-scroll-x" tabIndex={0} role="group" aria-label={title || t('Positions')}>
          <table className={styles['positions']}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className={isNumeric(rows, column) ? styles['number'] : undefined}>
                    {titleOf(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {columns.map((column) => (
                    <Amount
                      key={column}
                      column={column}
                      text={textOfValue(row[column])}
                      isNumber={isNumeric(rows, column)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Rows rows={[...otherRows(data, ['title', 'name', 'primary', ...lists]), ...restOf(data, ...lists)]} />
    </div>
  );
}

const isNumeric = (rows: readonly Attributes[], column: string): boolean =>
  rows.every((row) => row[column] === undefined || numberOf(textOfValue(row[column])) !== undefined);

function Amount({ column, text, isNumber }: { column: string; text: string; isNumber: boolean }) {
  const moves = /change|pnl|p&l|gain|return|profit/i.test(column);
  return <td className={classNames(isNumber && styles['number'], moves && direction(text))}>{text}</td>;
}
