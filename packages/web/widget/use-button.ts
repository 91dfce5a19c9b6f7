import { useEffect } from 'react';
import { t } from '../words/t.ts';
import type { Host } from './host.ts';

/** Has the page around the frame show the button, with the number of unread messages. */
export function useButton(host: Host, isOpen: boolean, unread: number): void {
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    host.post({
      kind: 'button',
      label: isOpen
        ? t('Close chat')
        : t('{count, plural, =0 {Open chat} one {Open chat, # unread message} other {Open chat, # unread messages}}', {
            count: unread,
          }),
      unread: isOpen ? 0 : unread,
      title: t('Chat'),
      accent: style.getPropertyValue('--accent'),
      accentInk: style.getPropertyValue('--accent-ink'),
    });
  }, [host, isOpen, unread]);
}
