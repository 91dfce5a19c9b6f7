// A row of the list of conversations.
import type { Chat, StoredMessage } from '@parley/client/store';
import type { Draft } from '@parley/protocol';
import { BellOff, ChevronDown, Ellipsis, Hand, Pin } from 'lucide-react';
import { type MouseEvent, memo, type ReactNode, useCallback, useMemo } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { isTouch } from '../../browser/touch.ts';
import { useSession, useStore } from '../../session/session.ts';
import { rich, t } from '../../words/t.ts';
import { shortTime } from '../../words/times.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { IconButton } from '../../ui/button.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from './chat-list.module.css';
import { loudUnread } from '../chat/channel-mutes.ts';
import { agentBeside, chatTitle, isSavedMessages, personOf } from '../chat/chat-title.ts';
import { knownNames } from '../chat/known-names.ts';
import { StatusSign } from '../chat/person-status.tsx';
import { previewOf, previewSender } from '../chat/preview.ts';
import { UnreadCount } from './unread-count.tsx';
import type { OnMenu } from './use-row-menu.ts';

interface RowProps {
  id: string;
  isOpen: boolean;
  /** Tab reaches it. */
  isStop: boolean;
  /** The inbox has news in threads of it. */
  hasThreads: boolean;
  /** Its channels and threads stand below it. */
  isUnfolded: boolean;
  onUnfold: (chatId: string, isUnfolded: boolean) => void;
  onMenu: OnMenu;
}

/** A conversation of the list: its title, newest message or draft, and what is unread. */
export const ChatRow = memo(function ChatRow({ id, ...props }: RowProps) {
  const store = useStore();
  const chat = useCell(store.chat(id));
  return chat ? <KnownRow chat={chat} {...props} /> : null;
});

interface KnownRowProps extends Omit<RowProps, 'id'> {
  chat: Chat;
}

const textOf = (draft: Draft | null): string => draft?.text.trim() ?? '';
/** The open conversation's draft is not shown in the list, so that typing does not render the row. */
const noText = (): string => '';

function KnownRow({ chat, isOpen, isStop, hasThreads, isUnfolded, onUnfold, onMenu }: KnownRowProps) {
  const navigate = useNavigate();
  const { username, store } = useSession();
  const last = useMessageRow(chat.last_message_id ?? '');
  const draft = useCellByFrame(store.draft({ chat_id: chat.id }), isOpen ? noText : textOf);
  const typing = useCell(store.typing({ chat_id: chat.id }));
  const route = chatRoute(chat.id);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  const typist = typing[0];
  const agent = agentBeside(chat, username);
  const person = personOf(chat, username);
  const isPinned = chat.pin_order !== undefined;
  const title = chatTitle(chat, username);
  const hasPlaces = chat.channels.length > 0 || hasThreads;
  return (
    <div
      className={classNames(styles['item'], hasPlaces && styles['folds'])}
      data-chat={chat.id}
      data-pinned={isPinned || undefined}
      draggable={isPinned && !isTouch()}
    >
      <a
        // On a touch screen a long press would drag it.
        draggable={isTouch() ? false : undefined}
        href={hrefOf(route)}
        onClick={open}
        data-list-row={chat.id}
        tabIndex={isStop ? 0 : -1}
        className={classNames(styles['row'], isOpen && styles['open'])}
        aria-current={isOpen ? 'page' : undefined}
        aria-expanded={hasPlaces ? isUnfolded : undefined}
      >
        <ChatAvatar chat={chat} />
        <span className="ui-fill">
          <span className={styles['line']}>
            <span
              className={classNames('ui-cut', (loudUnread(chat) > 0 || chat.is_marked_unread) && 'ui-strong')}
              dir="auto"
            >
              {title}
            </span>
            {person ? <StatusSign username={person} /> : null}
            {isPinned ? <Pin className={styles['muted']} aria-label={t('pinned')} /> : null}
            {chat.is_muted ? <BellOff className={styles['muted']} aria-label={t('muted')} /> : null}
            <time className={styles['time']}>{shortTime(last?.created_at ?? chat.updated_at)}</time>
          </span>
          <span className={styles['line']}>
            {agent === null ? null : <span className={styles['agent']}>{agent}</span>}
            <span className={classNames(styles['preview'], typist && 'ui-accent')}>
              {typist ? (
                words(chat.kind === 'group' ? t('{name} is typing …', { name: shownName(typist) }) : t('typing …'))
              ) : draft !== '' ? (
                rich('<label>Draft:</label> <words>{draft}</words>', {
                  draft,
                  label: (text) => <bdi className={classNames(styles['who'], 'ui-danger')}>{text}</bdi>,
                  words,
                })
              ) : last ? (
                <LastWords id={last.key} chat={chat} />
              ) : (
                words(t('No messages yet'))
              )}
            </span>
            <UnreadSigns chat={chat} />
          </span>
        </span>
      </a>
      {hasPlaces ? (
        <IconButton
          className={styles['fold']}
          label={t('Channels and threads of {title}', { title })}
          aria-expanded={isUnfolded}
          // The arrow keys do the same from the row.
          tabIndex={-1}
          icon={<ChevronDown />}
          onClick={() => onUnfold(chat.id, !isUnfolded)}
        />
      ) : null}
      <IconButton
        className={styles['more']}
        tabIndex={isStop ? 0 : -1}
        label={t('Actions for {title}', { title })}
        aria-haspopup="menu"
        icon={<Ellipsis />}
        onClick={({ currentTarget }) => onMenu(chat.id, currentTarget, currentTarget)}
      />
    </div>
  );
}

/** The decisions that need the user, and the counts of a conversation that is unread, or a dot if it was marked so. */
function UnreadSigns({ chat }: { chat: Chat }) {
  const loud = loudUnread(chat);
  return (
    <>
      {chat.needs_you > 0 ? (
        <span className={classNames('ui-count', styles['needs'])} role="img" aria-label={needsLabel(chat.needs_you)}>
          <Hand aria-hidden />
          {chat.needs_you}
        </span>
      ) : null}
      <UnreadCount
        count={loud > 0 ? loud : chat.unread_count}
        mentions={chat.unread_count > 0 ? chat.unread_mentions : 0}
        isMarked={chat.is_marked_unread === true}
        markLabel={t('marked as unread')}
        isMuted={chat.is_muted || loud === 0}
      />
    </>
  );
}

const needsLabel = (count: number): string =>
  t('{count, plural, one {# decision needs you} other {# decisions need you}}', { count });

/** The newest message as one line. While a reply streams it renders only when that line changes. */
function LastWords({ id, chat }: { id: string; chat: Chat }) {
  const { username: me, store } = useSession();
  const reader = useMemo(
    () => ({
      me,
      isGroup: chat.kind === 'group',
      isSaved: isSavedMessages(chat),
      nameOf: knownNames(store, chat),
      titleOf: (channelId: string) => chat.channels.find(({ id }) => id === channelId)?.title,
    }),
    [me, store, chat],
  );
  const cell = store.message(id);
  const sender = useCellByFrame(
    cell,
    useCallback((message: StoredMessage | undefined) => (message ? previewSender(message, reader) : ''), [reader]),
  );
  const text = useCellByFrame(
    cell,
    useCallback((message: StoredMessage | undefined) => (message ? previewOf(message, reader) : ''), [reader]),
  );
  if (sender === '') return words(text);
  // Each has a direction of its own, so that a long text is cut off at its end.
  return rich('<who><name>{sender}</name>:</who> <words>{text}</words>', {
    sender,
    text,
    who: (children) => <span className={styles['who']}>{children}</span>,
    name: (children) => <bdi>{children}</bdi>,
    words,
  });
}

const words = (children: ReactNode) => (
  <span className={styles['words']} dir="auto">
    {children}
  </span>
);
