// The list of conversations. May import: chats/chat and the rooms below chats.
import type { Chat, StoredMessage } from '@parley/client/store';
import type { Draft } from '@parley/protocol';
import { BellOff } from 'lucide-react';
import { lazy, type MouseEvent, memo, Suspense, useCallback, useDeferredValue, useEffect, useRef } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { useSession, useStore } from '../../session/session.ts';
import { shortTime } from '../../words/times.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Spinner } from '../../ui/states/spinner.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from './chat-list.module.css';
import { agentBeside, chatTitle, partnerOf } from '../chat/chat-title.ts';
import { previewOf } from '../chat/preview.ts';
import { useAllChats } from './use-all-chats.ts';
import { useRowInSight } from './use-row-in-sight.ts';

const OwnAgents = lazy(async () => import('./own-agents.tsx'));
/** With more conversations than this, a person knows where agents are. */
const FEW_CHATS = 10;

/** The list of all conversations, most recently active first. */
export function ChatList() {
  const store = useStore();
  // Rendered in the background, so that a page of rows delays neither the open conversation nor a key.
  const chats = useDeferredValue(useCell(store.chats));
  const { ids, isLoaded, hasMore } = chats;
  const route = useRoute();
  const openId = route.name === 'chat' ? route.chatId : null;
  const list = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useRowInSight(list, { openId, ids, isLoading: useAllChats(chats) });

  useEffect(() => {
    const mark = end.current;
    if (!mark || !hasMore) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void store.loadMoreChats();
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, [store, hasMore]);

  if (!isLoaded)
    return (
      <div className={styles['loading']}>
        <Spinner label="Loading conversations" />
      </div>
    );
  const ownAgents = ids.length > FEW_CHATS || hasMore ? null : <FewChats ids={ids} />;
  if (ids.length === 0)
    return (
      <>
        <EmptyState title="No conversations yet. Start one with the pencil button above." />
        {ownAgents}
      </>
    );
  return (
    <>
      <nav ref={list} className={styles['list']} aria-label="Conversations">
        {ids.map((id) => (
          <ChatRow key={id} id={id} isOpen={id === openId} />
        ))}
        <div ref={end} />
      </nav>
      {ownAgents}
    </>
  );
}

/** The user's own agents, below the few conversations of a new account. */
function FewChats({ ids }: { ids: readonly string[] }) {
  const { store, username } = useSession();
  const partners = ids.flatMap((id) => {
    const chat = store.chat(id).get();
    return chat?.kind === 'direct' ? (partnerOf(chat, username)?.username ?? []) : [];
  });
  return (
    <Suspense fallback={null}>
      <OwnAgents partners={new Set(partners)} />
    </Suspense>
  );
}

const ChatRow = memo(function ChatRow({ id, isOpen }: { id: string; isOpen: boolean }) {
  const store = useStore();
  const chat = useCell(store.chat(id));
  return chat ? <KnownRow chat={chat} isOpen={isOpen} /> : null;
});

const textOf = (draft: Draft | null): string => draft?.text.trim() ?? '';
/** The open conversation's draft is not shown in the list, so that typing does not render the row. */
const noText = (): string => '';

function KnownRow({ chat, isOpen }: { chat: Chat; isOpen: boolean }) {
  const navigate = useNavigate();
  const { username, store } = useSession();
  const last = useMessageRow(chat.last_message_id ?? '');
  const draft = useCellByFrame(store.draft(chat.id), isOpen ? noText : textOf);
  const typing = useCell(store.typing({ chat_id: chat.id }));
  const route = chatRoute(chat.id);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  const typist = typing[0];
  const agent = agentBeside(chat, username);
  return (
    <a
      href={hrefOf(route)}
      onClick={open}
      className={classNames(styles['row'], isOpen && styles['open'])}
      aria-current={isOpen ? 'page' : undefined}
    >
      <ChatAvatar chat={chat} />
      <span className={styles['text']}>
        <span className={styles['line']}>
          <span className={styles['title']} dir="auto">
            {chatTitle(chat, username)}
          </span>
          {chat.is_muted ? <BellOff className={styles['muted']} aria-label="muted" /> : null}
          <time className={styles['time']}>{shortTime(last?.created_at ?? chat.updated_at)}</time>
        </span>
        <span className={styles['line']}>
          {agent === null ? null : <span className={styles['agent']}>{agent}</span>}
          <span className={classNames(styles['preview'], typist && styles['typing'])}>
            {typist ? (
              `${chat.kind === 'group' ? `${shownName(typist)} is ` : ''}typing …`
            ) : draft !== '' ? (
              <>
                <span className={styles['draft']}>Draft: </span>
                {draft}
              </>
            ) : last ? (
              <LastWords id={last.key} isGroup={chat.kind === 'group'} />
            ) : (
              'No messages yet'
            )}
          </span>
          {chat.unread_count > 0 ? (
            <span
              className={classNames(styles['unread'], chat.is_muted && styles['quiet'])}
              aria-label={`${chat.unread_count} unread`}
            >
              {chat.unread_count > 999 ? '999+' : chat.unread_count}
            </span>
          ) : null}
        </span>
      </span>
    </a>
  );
}

/** The newest message as one line. While a reply streams it renders only when that line changes. */
function LastWords({ id, isGroup }: { id: string; isGroup: boolean }) {
  const { username: me, store } = useSession();
  const read = useCallback(
    (message: StoredMessage | undefined) => (message ? previewOf(message, { me, isGroup }) : ''),
    [me, isGroup],
  );
  return useCellByFrame(store.message(id), read);
}
