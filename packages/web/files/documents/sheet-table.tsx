import type { Sheet } from '@parley/office';
import { t } from '../../words/t.ts';
import { CutNote } from './cut-note.tsx';
import styles from './documents.module.css';

/** The letters of a column, as spreadsheets name it: A to Z, then AA. */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCodePoint(65 + (column % 26));

/** A sheet with the letters of its columns and the numbers of its rows, which stay in view. */
export function SheetTable({ sheet: { rows, isCut } }: { sheet: Sheet }) {
  if (rows.length === 0) return <p className={styles['none']}>{t('This sheet is empty.')}</p>;
  const columns = Array.from({ length: Math.max(...rows.map(({ cells }) => cells.length)) }, (_, at) => at);
  return (
    <>
      <table className={styles['table']}>
        <thead>
          <tr>
            <td className={styles['corner']} />
            {columns.map((column) => (
              <th key={column} scope="col">
                {lettersOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ number, cells }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              {columns.map((column) => (
                <td key={column} dir="auto">
                  {cells[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut ? <CutNote>{t('This is only a part of the table. Download the file to see all of it.')}</CutNote> : null}
    </>
  );
}
