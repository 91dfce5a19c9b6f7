import { useMemo } from 'react';
import { useCodeLines } from '../../markdown/highlight/use-code-lines.ts';
import { CodeLines } from '../../markdown/views/code-lines.tsx';
import styles from './documents.module.css';

/** Code with the colours of its language and the numbers of its lines. */
export function CodeDocument({ language, text }: { language: string; text: string }) {
  const lines = useCodeLines(language, text.replace(/\n$/, ''));
  const numbers = useMemo(() => Array.from({ length: lines.length }, (_, at) => at + 1).join('\n'), [lines.length]);
  return (
    <div className={styles['code']} dir="ltr">
      <pre className={styles['numbers']} aria-hidden>
        {numbers}
      </pre>
      <pre className={styles['lines']}>
        <code>
          <CodeLines lines={lines} isEnd />
        </code>
      </pre>
    </div>
  );
}
