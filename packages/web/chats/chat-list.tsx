import type { Chat } from '@parley/client/store';
import { BellOff } from 'lucide-react';
import { type MouseEvent, memo, useEffect, useRef } from 'react';
import { classNames } from '../app/class-names.ts';
import { chatRoute, hrefOf, navigate, useRoute } from '../app/route.ts';
import { useSession, useStore } from '../app/session.ts';
import { shortTime } from '../app/times.ts';
import { useCell } from '../app/use-cell.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ChatAvatar } from './chat-avatar.tsx';
import styles from './chat-list.module.css';
import { chatTitle } from './chat-title.ts';
import { previewOf } from './preview.ts';

/** All conversations, newest activity first. */
export function ChatList() {
  const store = useStore();
  const { ids, isLoaded, hasMore } = useCell(store.chats);
  const route = useRoute();
  const openId = route.name === 'chat' ? route.chatId : null;
  const end = useRef<HTMLDivElement>(null);

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
  if (ids.length === 0) return <EmptyState title="No conversations yet. Start one with the pencil above." />;
  return (
    <nav className={styles['list']} aria-label="Conversations">
      {ids.map((id) => (
        <ChatRow key={id} id={id} isOpen={id === openId} />
      ))}
      <div ref={end} />
    </nav>
  );
}

const ChatRow = memo(function ChatRow({ id, isOpen }: { id: string; isOpen: boolean }) {
  const store = useStore();
  const chat = useCell(store.chat(id));
  return chat ? <KnownRow chat={chat} isOpen={isOpen} /> : null;
});

function KnownRow({ chat, isOpen }: { chat: Chat; isOpen: boolean }) {
  const { username, store } = useSession();
  const last = useCell(store.message(chat.last_message_id ?? ''));
  const draft = useCell(store.draft(chat.id));
  const typing = useCell(store.typing({ chat_id: chat.id }));
  const route = chatRoute(chat.id);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  const typist = typing[0];
  const hasDraft = !isOpen && draft !== null && draft.text.trim() !== '';
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
          <span className={styles['title']}>{chatTitle(chat, username)}</span>
          {chat.is_muted ? <BellOff className={styles['muted']} aria-label="muted" /> : null}
          <time className={styles['time']}>{shortTime(last?.created_at ?? chat.updated_at)}</time>
        </span>
        <span className={styles['line']}>
          <span className={classNames(styles['preview'], typist && styles['typing'])}>
            {typist ? (
              `${chat.kind === 'group' ? `${typist.display_name} is ` : ''}typing …`
            ) : hasDraft ? (
              <>
                <span className={styles['draft']}>Draft: </span>
                {draft.text}
              </>
            ) : last ? (
              previewOf(last, { me: username, isGroup: chat.kind === 'group' })
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
