import { ArrowLeft } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { t } from '../../words/t.ts';
import { IconButton } from '../button.tsx';
import styles from './column-page.module.css';

interface ColumnPageProps {
  title: string;
  /** Set to the title, which can be given the focus. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Called by the button that a phone shows before the title. */
  onBack: () => void;
  /** Buttons behind the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the app that is one column: its title, and below it what scrolls. */
export const ColumnPage = ({ title, heading, onBack, actions, children }: ColumnPageProps) => (
  <main className="ui-page">
    <header className={styles['header']}>
      <IconButton className="ui-phone-only" label={t('All conversations')} icon={<ArrowLeft />} onClick={onBack} />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {actions}
    </header>
    <div className={styles['scroll']}>
      <div className={styles['column']}>{children}</div>
    </div>
  </main>
);
