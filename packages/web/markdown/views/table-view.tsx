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

/** The number of cells of the longest row. */
const columnsOf = ({ head, rows }: Table): number =>
  rows.reduce((most, { length }) => Math.max(most, length), head.length);

/** A table as comma-separated values (RFC 4180), without Markdown's marks. All rows have the same number of fields. */
function csvOf(table: Table): string {
  const columns = columnsOf(table);
  const lineOf = (row: readonly Cell[]) => Array.from({ length: columns }, (_, at) => fieldOf(row[at] ?? [])).join(',');
  return [table.head, ...table.rows].map((row) => `${lineOf(row)}\r\n`).join('');
}

/** A table in a box that scrolls horizontally, with a button that copies it for a spreadsheet. */
export function TableView({ table }: { table: Table }) {
  const { alignments, head, rows } = table;
  const columns = columnsOf(table);
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
                {/* One cell in the place of those that a short row does not have. */}
                {row.length < columns ? <td colSpan={columns - row.length} /> : null}
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
