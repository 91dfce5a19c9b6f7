import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { t } from '../words/t.ts';

interface CopyButtonProps {
  text: string;
  label?: string;
  look?: 'primary' | 'plain' | 'quiet';
  /** Called if the browser denies access to the clipboard, for example to show the text instead. */
  onFailure?: () => void;
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text, label = t('Copy'), look = 'plain', onFailure }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    // Pages without https have no clipboard.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (!clipboard) return onFailure?.();
    clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => onFailure?.(),
    );
    return undefined;
  };
  return (
    <Button size="small" look={look} onClick={copy}>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      <span aria-live="polite">{isCopied ? t('Copied') : label}</span>
    </Button>
  );
}
