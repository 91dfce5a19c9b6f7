import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from '../messages/conversation/conversation-header.module.css';
import { IconButton } from '../ui/button.tsx';
import { t } from '../words/t.ts';

/** The top of the panel, with the button that closes it: on a phone the panel covers the one on the page. */
export const WidgetHeader = ({ onClose, children }: { onClose: () => void; children?: ReactNode }) => (
  <header className={styles['header']}>
    <div className={styles['heading']}>{children}</div>
    <IconButton label={t('Close chat')} icon={<X />} onClick={onClose} />
  </header>
);
