import { type ReactNode, useState } from 'react';
import settings from '../config/settings.module.css';

/** Fields that few people need, folded. An error in one of them opens it, and it stays open while that is corrected. */
export function More({ hasError, children }: { hasError: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={settings['more']}
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>More</summary>
      {children}
    </details>
  );
}
