import { Check, Copy } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './code-block.module.css';

const COPIED_MS = 1_600;

interface CodeBlockProps {
  info: string;
  text: string;
  /** Long lines wrap, and a long text scrolls in a box of its own. */
  isBounded?: boolean;
}

/** A code block with its language and a copy button. */
export const CodeBlock = memo(function CodeBlock({ info, text, isBounded = false }: CodeBlockProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // If the clipboard is not available the user can select the text.
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
      {/* Focusable, so that the keyboard can scroll it. */}
      <pre
        className={classNames(styles['code'], isBounded && styles['bounded'])}
        tabIndex={0}
        dir="ltr"
        aria-label={info === '' ? 'Code' : `Code, ${info}`}
      >
        <code>{text}</code>
      </pre>
    </figure>
  );
});
