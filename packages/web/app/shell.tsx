import { MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ChatList } from '../chats/list/chat-list.tsx';
import type { ListFilter } from '../chats/list/shown-chats.ts';
import { InboxLink } from '../chats/inbox/inbox-link.tsx';
import { Conversation } from '../messages/conversation/conversation.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { LoadingPage } from '../ui/states/loading-page.tsx';
import { classNames } from '../browser/class-names.ts';
import { ConnectionNote } from './connection-note.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useNavigate, useRoute } from '../browser/navigation.ts';
import { hrefOf } from '../browser/route.ts';
import { useStore } from '../session/session.ts';
import styles from './shell.module.css';
import { SideHeader } from './side-header.tsx';
import { Toasts } from './toasts.tsx';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

const AgentPage = lazy(async () => import('../agent-page/agent-page.tsx'));
const InboxPage = lazy(async () => import('../chats/inbox/inbox-page.tsx'));
const Settings = lazy(async () => import('../settings/settings.tsx'));
const DeviceNotices = lazy(async () => ({
  default: (await import('../notifications/device-notices.tsx')).DeviceNotices,
}));
const InAppNotices = lazy(async () => ({
  default: (await import('../notifications/in-app-notices.tsx')).InAppNotices,
}));
const NotificationOffer = lazy(async () => import('./notification-offer.tsx'));
const Share = lazy(async () => import('../chats/share/share.tsx'));
const Join = lazy(async () => import('../chats/invites/join.tsx'));
const MissingPage = lazy(async () => import('./missing-page.tsx'));

/** The signed-in app: conversations on the left, the open page on the right; a phone shows one of the two. */
export function Shell() {
  const route = useRoute();
  const navigate = useNavigate();
  const isHome = route.name === 'home' || route.name === 'new';
  return (
    <div className={classNames(styles['shell'], isHome ? styles['atHome'] : styles['inside'])}>
      <Side />
      <div className={styles['main']}>
        <ConnectionNote />
        <Suspense fallback={null}>
          <NotificationOffer />
        </Suspense>
        <ErrorBoundary place={hrefOf(route)}>
          <Suspense fallback={<LoadingPage />}>
            {route.name === 'chat' ? (
              <Conversation key={route.chatId} route={route} />
            ) : route.name === 'inbox' ? (
              <InboxPage />
            ) : route.name === 'settings' ? (
              <Settings section={route.section} />
            ) : route.name === 'agent' ? (
              <AgentPage route={route} />
            ) : route.name === 'join' ? (
              <Join token={route.token} />
            ) : route.name === 'share' ? (
              <Share shared={route.shared} />
            ) : route.name === 'missing' ? (
              <MissingPage />
            ) : (
              <EmptyState icon={<MessagesSquare />} title={t('Pick a conversation, or start a new one.')}>
                <Button size="small" onClick={() => navigate({ name: 'new' })}>
                  {t('Start a conversation')}
                </Button>
              </EmptyState>
            )}
          </Suspense>
        </ErrorBoundary>
      </div>
      <Toasts>
        <Suspense fallback={null}>
          <InAppNotices />
        </Suspense>
      </Toasts>
      <Suspense fallback={null}>
        <DeviceNotices />
      </Suspense>
      <PageTitle />
    </div>
  );
}

/** The list of conversations, and what is above it. */
function Side() {
  const [filter, setFilter] = useState<ListFilter>('all');
  return (
    <aside className={styles['side']}>
      <SideHeader onFilter={setFilter} />
      <InboxLink />
      <ChatList filter={filter} onFilter={setFilter} />
    </aside>
  );
}

/** Shows the unread count, the decisions that need the user, and the title of an open separate chat in the window title. */
function PageTitle() {
  const store = useStore();
  const route = useRoute();
  const unread = useCell(store.unreadTotal);
  const needs = useCell(store.needsTotal);
  const chat = useCell(store.chat(route.name === 'chat' ? route.chatId : ''));
  const title = (chat?.is_separate ? chat.title : null) ?? null;
  useEffect(() => {
    const asked = needs > 0 ? `${t('Needs you: {count, number}', { count: needs })} · ` : '';
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${asked}${title === null ? '' : `${title} · `}Parley`;
  }, [unread, needs, title]);
  return null;
}
