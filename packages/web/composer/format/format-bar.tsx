import { Bold, Code, Italic, Link, List, ListOrdered, TextQuote } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { isApple } from '../../browser/is-apple.ts';
import { IconButton } from '../../ui/button.tsx';
import { direction } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import type { Format } from './formats.ts';

const FORMATS = [
  { format: 'bold', label: t('Bold'), icon: <Bold />, key: 'B' },
  { format: 'italic', label: t('Italic'), icon: <Italic />, key: 'I' },
  { format: 'link', label: t('Link'), icon: <Link />, key: 'K' },
  { format: 'bullets', label: t('Bulleted list'), icon: <List />, key: 'Shift+8' },
  { format: 'numbers', label: t('Numbered list'), icon: <ListOrdered />, key: 'Shift+7' },
  { format: 'quote', label: t('Quote'), icon: <TextQuote />, key: 'Shift+9' },
  { format: 'code', label: t('Code'), icon: <Code />, key: 'E' },
] as const satisfies readonly { format: Format; label: string; icon: unknown; key: string }[];

const command = isApple ? '⌘' : 'Ctrl';
const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
const backward = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';

interface FormatBarProps {
  className: string | undefined;
  onFormat: (format: Format) => void;
  /** Back to the text. */
  onLeave: () => void;
}

/** Buttons that format the text. They are one stop of Tab; the arrow keys move between them (WEB-501). */
export default function FormatBar({ className, onFormat, onLeave }: FormatBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') onLeave();
    else {
      const count = FORMATS.length;
      const next = { [forward]: (stop + 1) % count, [backward]: (stop + count - 1) % count, Home: 0, End: count - 1 }[
        event.key
      ];
      if (next === undefined) return;
      bar.current?.querySelectorAll('button')[next]?.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={bar} className={className} role="toolbar" aria-label={t('Formatting')} onKeyDown={press}>
      {FORMATS.map(({ format, label, icon, key }, at) => (
        <IconButton
          key={format}
          label={label}
          title={`${label} (${command}+${key})`}
          icon={icon}
          aria-keyshortcuts={`${isApple ? 'Meta' : 'Control'}+${key}`}
          tabIndex={at === stop ? 0 : -1}
          onFocus={() => setStop(at)}
          // The text keeps its selection, and a phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        />
      ))}
    </div>
  );
}
