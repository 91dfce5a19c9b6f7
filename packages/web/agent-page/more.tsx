import { type ReactNode, useState } from 'react';
import settings from '../config/settings.module.css';
import { t } from '../words/t.ts';

interface MoreProps {
  label?: string;
  hasError: boolean;
  children: ReactNode;
}

/** Fields that few people need, folded under a label. An error in one of them opens it, and it stays open while that is corrected. */
export function More({ label = t('More'), hasError, children }: MoreProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={settings['more']}
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{label}</summary>
      {children}
    </details>
  );
}
