import { Check, Copy } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import styles from './code-block.module.css';

const COPIED_MS = 1_600;

/** Code as it stands, its language, and a button that copies it. */
export const CodeBlock = memo(function CodeBlock({ info, text }: { info: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // Where the clipboard is closed the text can be marked by hand.
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return (
    <figure className={styles['block']}>
      <figcaption className={styles['head']}>
        <span className={styles['language']}>{info === '' ? 'code' : info}</span>
        <button type="button" className={styles['copy']} onClick={copy}>
          {isCopied ? <Check /> : <Copy />}
          <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
        </button>
      </figcaption>
      {/* It scrolls, by keyboard too. */}
      <pre className={styles['code']} tabIndex={0} aria-label={info === '' ? 'Code' : `Code, ${info}`}>
        <code>{text}</code>
      </pre>
    </figure>
  );
});
