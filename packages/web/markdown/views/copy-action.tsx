import { Check, Copy } from 'lucide-react';
import { createContext, use, useEffect, useState } from 'react';
import styles from './code-block.module.css';
import { t } from '../../words/t.ts';

const COPIED_MS = 1_600;

/** Whether only a part of a block is drawn: copying would lose the rest without a word. */
export const CutContext = createContext(false);

/** Copies a text of a message, and confirms it for a moment. */
export function CopyAction({ text, label = t('Copy') }: { text: () => string; label?: string }) {
  const isCut = use(CutContext);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  // If the clipboard is not available the user can select the text.
  const copy = () =>
    void navigator.clipboard?.writeText(text()).then(
      () => setIsCopied(true),
      () => undefined,
    );
  if (isCut) return null;
  return (
    <button type="button" className={styles['action']} onClick={copy}>
      {isCopied ? <Check /> : <Copy />}
      <span aria-live="polite">{isCopied ? t('Copied') : label}</span>
    </button>
  );
}
