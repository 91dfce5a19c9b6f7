import { X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { classNames } from '../../browser/class-names.ts';
import styles from './toasts.module.css';
import { t } from '../../words/t.ts';

const SHOWN_MS = 7_000;

interface ToastProps {
  icon: ReactNode;
  level?: 'info' | 'success' | 'error';
  title?: string | undefined;
  text: string;
  /** Called when its button is pressed or its time is up. */
  onDismiss: () => void;
  /** Called when the toast itself is pressed. */
  onOpen?: () => void;
}

export function Toast({ icon, level = 'info', title, text, onDismiss, onOpen }: ToastProps) {
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    const timer = setTimeout(() => dismiss(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const content = (
    <>
      {title ? <span className={styles['title']}>{title}</span> : null}
      <span className={styles['words']}>{text}</span>
    </>
  );
  return (
    <div className={classNames(styles['toast'], styles[level])}>
      <span className={styles['icon']}>{icon}</span>
      {onOpen ? (
        <button type="button" className={classNames(styles['text'], styles['open'])} onClick={onOpen}>
          {content}
        </button>
      ) : (
        <p className={styles['text']}>{content}</p>
      )}
      <button type="button" className={styles['close']} aria-label={t('Close')} onClick={onDismiss}>
        <X />
      </button>
    </div>
  );
}
