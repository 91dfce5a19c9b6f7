import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

interface CopyButtonProps {
  text: string;
  label?: string;
  look?: 'primary' | 'plain' | 'quiet';
  /** What to do where the clipboard is closed: show the text, say. */
  onFailure?: () => void;
}

/** Copies a text, and says for a moment that it has. */
export function CopyButton({ text, label = 'Copy', look = 'plain', onFailure }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    // A page that is not served over https has no clipboard at all.
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
      {isCopied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
