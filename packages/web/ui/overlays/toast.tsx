import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './toasts.module.css';
import { t } from '../../words/t.ts';

const SHOWN_MS = 7_000;

const tones = { info: undefined, success: 'ui-accent', error: 'ui-danger' } as const;

interface ToastProps {
  icon: ReactNode;
  level?: 'info' | 'success' | 'error';
  title?: string | undefined;
  /** A line between the title and the text. */
  heading?: string | undefined;
  text: string;
  /** Called when its button is pressed or its time is up. */
  onDismiss: () => void;
  /** Called when the toast itself is pressed. */
  onOpen?: () => void;
  /** More about it, below the text. The toast stays while the focus is in it. */
  children?: ReactNode;
}

export function Toast({ icon, level = 'info', title, heading, text, onDismiss, onOpen, children }: ToastProps) {
  const dismiss = useEffectEvent(onDismiss);
  const [isUsed, setIsUsed] = useState(false);
  useEffect(() => {
    if (isUsed) return undefined;
    const timer = setTimeout(() => dismiss(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isUsed]);
  const content = (
    <>
      {title ? <span className={classNames(styles['title'], 'ui-strong')}>{title}</span> : null}
      {heading ? <span className={styles['heading']}>{heading}</span> : null}
      <span className={styles['words']}>{text}</span>
    </>
  );
  return (
    <div className={styles['toast']} onFocus={() => setIsUsed(true)} onBlur={() => setIsUsed(false)}>
      <span className={classNames(styles['icon'], tones[level])}>{icon}</span>
      {onOpen ? (
        <button type="button" className={classNames(styles['text'], styles['open'])} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <div className={styles['text']}>
          {content}
          {children}
        </div>
      )}
      <button type="button" className={styles['close']} aria-label={t('Close')} onClick={onDismiss}>
        <X />
      </button>
    </div>
  );
}
