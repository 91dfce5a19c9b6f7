import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { IconButton } from '../button.tsx';
import styles from './dialog.module.css';
import { t } from '../../words/t.ts';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The content of its footer, such as buttons. */
  footer?: ReactNode;
  /** A `sheet` slides in from the right edge and covers a phone's screen; a `bottom` one lies at the bottom edge. */
  shape?: 'middle' | 'wide' | 'full' | 'sheet' | 'bottom';
}

/** A modal dialog. Esc closes it, and so does Back on a phone. */
export function Dialog({ title, isOpen, onClose, children, footer, shape = 'middle' }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  useBackCloses(isOpen, onClose);
  // Focus the first field, or a button with `data-focus` before it, except on touch screens, where the keyboard would
  // cover half of the dialog.
  const firstField = (how: string) =>
    (how === 'touch'
      ? null
      : body.current?.querySelector<HTMLElement>('[data-focus], input:not([readonly], [type=hidden]), textarea')) ??
    true;
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="ui-backdrop ui-fade" forceRender />
        <Base.Popup className={classNames(styles['popup'], styles[shape])} initialFocus={firstField}>
          <header className={styles['header']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
          </header>
          <div ref={body} className={styles['body']}>
            {children}
          </div>
          {footer ? <footer className={styles['footer']}>{footer}</footer> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
