import { type Alignment, type Block, type Cell, textOfInlines } from '@parley/markdown';
import { classNames } from '../../browser/class-names.ts';
import { CopyAction } from './copy-action.tsx';
import { Inlines } from './inlines.tsx';
import styles from './markdown.module.css';
import { direction } from '../../words/language.ts';
import { t } from '../../words/t.ts';

const alignment = (at: Alignment | undefined): string => classNames(at && styles[at]);

type Table = Extract<Block, { kind: 'table' }>;

const fieldOf = (cell: Cell): string => {
  const text = textOfInlines(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as comma-separated values (RFC 4180), without Markdown's marks. */
const csvOf = ({ head, rows }: Table): string =>
  [head, ...rows].map((row) => `${row.map((cell) => fieldOf(cell)).join(',')}\r\n`).join('');

/** A table in a box that scrolls horizontally, with a button that copies it for a spreadsheet. */
export function TableView({ table }: { table: Table }) {
  const { alignments, head, rows } = table;
  return (
    <figure className={styles['tableFigure']} dir="auto">
      <div className={styles['tableBox']} tabIndex={0} role="group" aria-label={t('Table')}>
        <table className={styles['table']}>
          <thead>
            <tr>
              {head.map((cell, at) => (
                <th key={at} scope="col" className={alignment(alignments[at])}>
                  <Inlines inlines={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {row.map((cell, at) => (
                  <td key={at} className={alignment(alignments[at])}>
                    <Inlines inlines={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className={styles['tableActions']} dir={direction}>
        <CopyAction text={() => csvOf(table)} label={t('Copy as CSV')} />
      </figcaption>
    </figure>
  );
}
