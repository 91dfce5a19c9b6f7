import type { Alignment, Block } from '@parley/markdown';
import { classNames } from '../../browser/class-names.ts';
import { Inlines } from './inlines.tsx';
import styles from './markdown.module.css';

const alignment = (at: Alignment | undefined): string => classNames(at && styles[at]);

/** A table in a box that scrolls horizontally. */
export function TableView({ table: { alignments, head, rows } }: { table: Extract<Block, { kind: 'table' }> }) {
  return (
    <div className={styles['tableBox']} tabIndex={0} role="group" aria-label="Table">
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
  );
}
