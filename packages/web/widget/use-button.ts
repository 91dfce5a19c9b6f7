import { useEffect } from 'react';
import { t } from '../words/t.ts';
import type { Host } from './host.ts';
import type { WidgetState } from './renewed-session.ts';

/** Has the page around the frame show the button, with the number of unread messages, unless nobody is signed in there. */
export function useButton(host: Host, state: WidgetState, isOpen: boolean, unread: number): void {
  useEffect(() => {
    if (state.kind === 'asking') return;
    if (state.kind === 'nobody') return host.post({ kind: 'hide' });
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
    // With the state: each answer that nobody is signed in is said to the page.
  }, [host, state, isOpen, unread]);
}
