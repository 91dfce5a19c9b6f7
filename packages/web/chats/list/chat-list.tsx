// The list of conversations. May import: chats/chat and the rooms below chats.
import type { Chat, ChatList as Chats, StoredMessage } from '@parley/client/store';
import type { Draft, Folder } from '@parley/protocol';
import { useChatRows } from '@parley/react';
import { Archive, ArrowLeft, BellOff, Ellipsis, Pin } from 'lucide-react';
import {
  lazy,
  type MouseEvent,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { isTouch } from '../../browser/touch.ts';
import { useSession, useStore } from '../../session/session.ts';
import { rich, t } from '../../words/t.ts';
import { shortTime } from '../../words/times.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Point } from '../../ui/overlays/context-menu.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from './chat-list.module.css';
import { agentBeside, chatTitle, isSavedMessages, partnerOf, personOf } from '../chat/chat-title.ts';
import { knownNames } from '../chat/known-names.ts';
import { StatusSign } from '../chat/person-status.tsx';
import { previewOf, previewSender } from '../chat/preview.ts';
import { ListFilters } from './list-filters.tsx';
import { type ListFilter, shownIds } from './shown-chats.ts';
import { useAllChats } from './use-all-chats.ts';
import { usePinOrder } from './use-pin-order.ts';
import { useStepKeys } from './use-step-keys.ts';
import { useRowInSight } from './use-row-in-sight.ts';
import { type OnMenu, useRowMenu } from './use-row-menu.ts';

const OwnAgents = lazy(async () => import('./own-agents.tsx'));
/** With more conversations than this, a person knows where agents are. */
const FEW_CHATS = 10;

const EditFolder = lazy(async () => import('./edit-folder.tsx'));
const ChatMenu = lazy(async () => import('./chat-menu.tsx'));

interface OpenMenu {
  chatId: string;
  at: Element | Point;
  row: HTMLElement | null;
}

interface ChatListProps {
  filter: ListFilter;
  onFilter: (filter: ListFilter) => void;
}

/** The list of conversations: pinned ones first, then the most recently active, as far as the filter shows them. */
export function ChatList({ filter: chosen, onFilter }: ChatListProps) {
  const store = useStore();
  const { username: me } = useSession();
  // Rendered in the background, so that a page of rows delays neither the open conversation nor a key.
  const chats = useDeferredValue(useCell(store.chats));
  const folders = useCell(store.folders);
  const { isLoaded, hasMore } = chats;
  const route = useRoute();
  const openId = route.name === 'chat' ? route.chatId : null;
  // Another device may have deleted the folder.
  const folder = typeof chosen === 'object' ? folders.find(({ id }) => id === chosen.folderId) : undefined;
  const filter = typeof chosen === 'object' && !folder ? 'all' : chosen;
  const ids = useMemo(
    () => shownIds(chats, { filter, folder, me, openId, chatOf: (id) => store.chat(id).get() }),
    [store, chats, filter, folder, me, openId],
  );
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  // Here, not beside its button: the form stays when the folder is no longer empty.
  const [editing, setEditing] = useState<Folder | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const list = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useStepKeys(ids, openId);
  const rows = useChatRows({ list, end }, { chats, ids, openId });
  useRowInSight(list, { openId, ids: rows, isLoading: useAllChats(chats) });

  const isListed = isLoaded && chats.ids.length > 0;
  const openMenu = useCallback((chatId: string, at: Element | Point, row: HTMLElement | null) => {
    setProblem(null);
    setMenu({ chatId, at, row });
  }, []);
  const { move, lift, note } = usePinOrder(list, { isOn: isListed && filter === 'all', ids, onProblem: setProblem });
  useRowMenu(list, { isListed, onMenu: openMenu, lift });

  if (!isLoaded) return <SkeletonRows label={t('Loading conversations')} />;
  const isSmall = filter === 'all' && chats.ids.length <= FEW_CHATS && !hasMore;
  const ownAgents = isSmall ? <FewChats ids={chats.ids} /> : null;
  if (chats.ids.length === 0)
    return (
      <>
        <EmptyState title={t('No conversations yet. Start one with the pencil button above.')} />
        {ownAgents}
      </>
    );
  const opened = menu && store.chat(menu.chatId).get();
  return (
    <>
      {filter === 'archived' ? (
        <button type="button" className={styles['back']} onClick={() => onFilter('all')}>
          <ArrowLeft aria-hidden /> {t('Archived')}
        </button>
      ) : (
        <ListFilters folders={folders} unread={chats.unreadByFolder} filter={filter} onFilter={onFilter} />
      )}
      <nav ref={list} className={styles['list']} aria-label={t('Conversations')}>
        <Problem text={problem} />
        {filter === 'all' && chats.archived.length > 0 ? (
          <ArchiveRow chats={chats} onOpen={() => onFilter('archived')} />
        ) : null}
        {rows.map((id) => (
          <ChatRow key={id} id={id} isOpen={id === openId} onMenu={openMenu} />
        ))}
        {ids.length === 0 && !hasMore ? <NoRows filter={filter} folder={folder} onEdit={setEditing} /> : null}
        <div ref={end} />
        <p className={styles['note']} role="status">
          {note}
        </p>
      </nav>
      {ownAgents}
      <Suspense fallback={null}>
        {editing ? <EditFolder folder={editing} onClose={() => setEditing(null)} /> : null}
      </Suspense>
      {menu && opened ? (
        <Suspense fallback={null}>
          <ChatMenu
            key={menu.chatId}
            chat={opened}
            at={menu.at}
            row={menu.row}
            folder={folder}
            onMove={filter === 'all' ? (by) => move(menu.chatId, by) : undefined}
            onProblem={setProblem}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      ) : null}
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

interface NoRowsProps {
  filter: ListFilter;
  folder: Folder | undefined;
  onEdit: (folder: Folder) => void;
}

/** Says why the list is empty. */
function NoRows({ filter, folder, onEdit }: NoRowsProps) {
  return (
    <div className={styles['none']}>
      <p>{noneText(filter, folder)}</p>
      {folder ? (
        <Button size="small" onClick={() => onEdit(folder)}>
          {t('Edit folder')}
        </Button>
      ) : null}
    </div>
  );
}

const noneText = (filter: ListFilter, folder: Folder | undefined): string => {
  if (filter === 'unread') return t('You’ve read everything.');
  if (filter === 'agents') return t('No chats with agents yet. Start one with the pencil button above.');
  if (filter === 'groups') return t('No groups yet. Start one with the pencil button above.');
  if (filter === 'archived') return t('Nothing is archived.');
  if (folder?.rule) return t('No conversation belongs in this folder at the moment.');
  return t('This folder is empty. Open the menu of a conversation and choose “Move to folder”.');
};

/** Leads to the archived conversations, with the number of those that have unread messages. */
function ArchiveRow({ chats, onOpen }: { chats: Chats; onOpen: () => void }) {
  const archived = new Set(chats.archived);
  const unread = chats.unread.filter((id) => archived.has(id)).length;
  return (
    <button type="button" className={classNames(styles['row'], styles['archive'])} onClick={onOpen}>
      <span className={styles['archiveIcon']}>
        <Archive aria-hidden />
      </span>
      <span className={styles['title']}>{t('Archived')}</span>
      {unread > 0 ? (
        <span
          className={classNames(styles['unread'], styles['quiet'])}
          aria-label={t('{count, number} unread', { count: unread })}
        >
          {unread}
        </span>
      ) : null}
    </button>
  );
}

interface RowProps {
  id: string;
  isOpen: boolean;
  onMenu: OnMenu;
}

const ChatRow = memo(function ChatRow({ id, isOpen, onMenu }: RowProps) {
  const store = useStore();
  const chat = useCell(store.chat(id));
  return chat ? <KnownRow chat={chat} isOpen={isOpen} onMenu={onMenu} /> : null;
});

const textOf = (draft: Draft | null): string => draft?.text.trim() ?? '';
/** The open conversation's draft is not shown in the list, so that typing does not render the row. */
const noText = (): string => '';

function KnownRow({ chat, isOpen, onMenu }: { chat: Chat; isOpen: boolean; onMenu: OnMenu }) {
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
  return (
    <div
      className={styles['item']}
      data-chat={chat.id}
      data-pinned={isPinned || undefined}
      draggable={isPinned && !isTouch()}
    >
      <a
        // On a touch screen a long press would drag it.
        draggable={isTouch() ? false : undefined}
        href={hrefOf(route)}
        onClick={open}
        className={classNames(styles['row'], isOpen && styles['open'])}
        aria-current={isOpen ? 'page' : undefined}
      >
        <ChatAvatar chat={chat} />
        <span className={styles['text']}>
          <span className={styles['line']}>
            <span className={styles['title']} dir="auto">
              {title}
            </span>
            {person ? <StatusSign username={person} /> : null}
            {isPinned ? <Pin className={styles['muted']} aria-label={t('pinned')} /> : null}
            {chat.is_muted ? <BellOff className={styles['muted']} aria-label={t('muted')} /> : null}
            <time className={styles['time']}>{shortTime(last?.created_at ?? chat.updated_at)}</time>
          </span>
          <span className={styles['line']}>
            {agent === null ? null : <span className={styles['agent']}>{agent}</span>}
            <span className={classNames(styles['preview'], typist && styles['typing'])}>
              {typist ? (
                words(chat.kind === 'group' ? t('{name} is typing …', { name: shownName(typist) }) : t('typing …'))
              ) : draft !== '' ? (
                rich('<label>Draft:</label> <words>{draft}</words>', {
                  draft,
                  label: (text) => <bdi className={classNames(styles['who'], styles['draft'])}>{text}</bdi>,
                  words,
                })
              ) : last ? (
                <LastWords id={last.key} chat={chat} />
              ) : (
                words(t('No messages yet'))
              )}
            </span>
            {chat.unread_mentions > 0 && chat.unread_count > 0 ? (
              <span className={styles['mentions']} role="img" aria-label={mentionsLabel(chat.unread_mentions)}>
                @
              </span>
            ) : null}
            {chat.unread_count > 0 ? (
              <span
                className={classNames(styles['unread'], chat.is_muted && styles['quiet'])}
                aria-label={t('{count, number} unread', { count: chat.unread_count })}
              >
                {chat.unread_count > 999 ? '999+' : chat.unread_count}
              </span>
            ) : chat.is_marked_unread ? (
              <span
                className={classNames(styles['unread'], styles['marked'], chat.is_muted && styles['quiet'])}
                role="img"
                aria-label={t('marked as unread')}
              />
            ) : null}
          </span>
        </span>
      </a>
      <IconButton
        className={styles['more']}
        label={t('Actions for {title}', { title })}
        aria-haspopup="menu"
        icon={<Ellipsis />}
        onClick={({ currentTarget }) => onMenu(chat.id, currentTarget, currentTarget)}
      />
    </div>
  );
}

const mentionsLabel = (count: number): string => t('{count, plural, one {# mention} other {# mentions}}', { count });

/** The newest message as one line. While a reply streams it renders only when that line changes. */
function LastWords({ id, chat }: { id: string; chat: Chat }) {
  const { username: me, store } = useSession();
  const reader = useMemo(
    () => ({
      me,
      isGroup: chat.kind === 'group',
      isSaved: isSavedMessages(chat),
      nameOf: knownNames(store, chat),
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
