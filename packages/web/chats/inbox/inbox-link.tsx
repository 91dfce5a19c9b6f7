// What the user is to look at. May import: chats/chat and the rooms below chats.
import { Hand, Inbox } from 'lucide-react';
import type { MouseEvent } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { hrefOf } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import styles from './inbox-link.module.css';
import { t } from '../../words/t.ts';

const route = { name: 'inbox' } as const;

/** Leads to the inbox, with the number of unread items. */
export function InboxLink() {
  const navigate = useNavigate();
  const store = useStore();
  const { unreadCount } = useCell(store.inbox);
  const needs = useCell(store.needsTotal);
  const isOpen = useRoute().name === 'inbox';
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  return (
    <a
      href={hrefOf(route)}
      onClick={open}
      className={classNames(styles['link'], isOpen && styles['open'])}
      aria-current={isOpen ? 'page' : undefined}
    >
      <Inbox aria-hidden="true" />
      <span className={styles['name']}>{t('For you')}</span>
      {needs > 0 ? (
        <span className={styles['needs']} role="img" aria-label={t('Needs you: {count, number}', { count: needs })}>
          <Hand aria-hidden="true" />
          {needs}
        </span>
      ) : null}
      {unreadCount > 0 ? (
        <span className="ui-count" aria-label={t('{count, number} unread', { count: unreadCount })}>
          {unreadCount > 999 ? '999+' : unreadCount}
        </span>
      ) : null}
    </a>
  );
}
