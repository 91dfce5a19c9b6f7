import { visibleText } from '../words/visible-text.ts';
import styles from './arguments-table.module.css';

/** What a tool is called with, one row for each argument. Nothing is left out: long values scroll. */
export function ArgumentsTable({ label, values }: { label: string; values: Readonly<Record<string, unknown>> }) {
  return (
    <table className={styles['arguments']}>
      <caption>{label}</caption>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row" dir="auto">
              {visibleText(name)}
            </th>
            <td>
              <div className={styles['value']} dir="auto" tabIndex={isLong(value) ? 0 : undefined}>
                {shownValue(value)}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const shownValue = (value: unknown): string =>
  visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

/** It scrolls, so that the keyboard has to reach it. */
const isLong = (value: unknown): boolean => {
  const text = shownValue(value);
  return text.length > 400 || text.split('\n').length > 8;
};
