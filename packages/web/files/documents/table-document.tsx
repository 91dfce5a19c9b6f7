import { useMemo } from 'react';
import { t } from '../../words/t.ts';
import { CutNote } from './cut-note.tsx';
import styles from './documents.module.css';
import { tableOfText } from './table-of-text.ts';

/** A table, whose first row is its head and stays in view. */
export function TableDocument({ text, isCut }: { text: string; isCut: boolean }) {
  const table = useMemo(() => tableOfText(text), [text]);
  const [head = [], ...rows] = table.rows;
  return (
    <>
      <table className={styles['table']}>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col" dir="auto">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, at) => (
                <td key={at} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isCut || table.isCut ? (
        <CutNote>{t('This is only a part of the table. Download the file to see all of it.')}</CutNote>
      ) : null}
    </>
  );
}
