import { MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
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
import { savedSideWidth, sideStyle } from './side-width.ts';
import { Toasts } from './toasts.tsx';
import { useSignal } from '../composer/composing/composing.ts';
import { useMayNotify } from '../notifications/use-may-notify.ts';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

const Admin = lazy(async () => import('../admin/admin.tsx'));
const AgentPage = lazy(async () => import('../agent-page/agent-page.tsx'));
const BrowsePage = lazy(async () => import('../chats/browse/browse-page.tsx'));
const InboxPage = lazy(async () => import('../chats/inbox/inbox-page.tsx'));
const SideEdge = lazy(async () => import('./side-edge.tsx'));
const ShelfPage = lazy(async () => import('../shelf/shelf-page.tsx'));
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
  const [width, setWidth] = useState(savedSideWidth);
  const mayNotify = useMayNotify();
  return (
    <div
      className={classNames(styles['shell'], isHome ? styles['atHome'] : styles['inside'])}
      style={width === null ? undefined : sideStyle(width)}
    >
      {isHome ? null : <SkipLink />}
      <Side onWidth={setWidth} />
      <div className={styles['main']}>
        <ConnectionNote />
        <OfferOnceSent />
        <ErrorBoundary place={hrefOf(route)}>
          <Suspense fallback={<LoadingPage />}>
            {route.name === 'chat' ? (
              <Conversation key={route.chatId} route={route} />
            ) : route.name === 'inbox' ? (
              <InboxPage />
            ) : route.name === 'browse' ? (
              <BrowsePage />
            ) : route.name === 'shelf' ? (
              <ShelfPage />
            ) : route.name === 'settings' ? (
              <Settings section={route.section} />
            ) : route.name === 'admin' ? (
              <Admin page={route.page} otherwise={<MissingPage />} />
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
      <Suspense fallback={null}>{mayNotify ? <DeviceNotices /> : null}</Suspense>
      <PageTitle />
    </div>
  );
}

/** The offer of notifications loads with the first message that is sent from this page. */
function OfferOnceSent() {
  const route = useRoute();
  const [hasSent, setHasSent] = useState(false);
  const isChat = route.name === 'chat';
  const place = { chat_id: isChat ? route.chatId : '', channel_id: isChat ? route.channelId : null };
  const onSent = useCallback(() => setHasSent(true), []);
  useSignal('sent', { ...place, thread_root_id: null }, onSent);
  return <Suspense fallback={null}>{hasSent ? <NotificationOffer /> : null}</Suspense>;
}

function skipList(): void {
  const page = document.querySelector<HTMLElement>('main');
  const goal = page?.querySelector<HTMLElement>('[data-composer=timeline] textarea') ?? page;
  if (goal === page) page?.setAttribute('tabindex', '-1');
  goal?.focus();
}

/** Leads past the list, for the keyboard: to the composer of the open conversation, or to the open page. */
const SkipLink = () => (
  <button type="button" className={classNames(styles['skip'], 'ui-no-phone')} onClick={skipList}>
    {t('Skip the list')}
  </button>
);

/** The list of conversations, and what is above it. */
function Side({ onWidth }: { onWidth: (width: number | null) => void }) {
  const [filter, setFilter] = useState<ListFilter>('all');
  return (
    <aside className={styles['side']}>
      <SideHeader onFilter={setFilter} />
      <InboxLink />
      <ChatList filter={filter} onFilter={setFilter} />
      <Suspense fallback={null}>
        <SideEdge onWidth={onWidth} />
      </Suspense>
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
