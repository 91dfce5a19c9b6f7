// The list of conversations. May import: chats/chat and the rooms below chats.
import type { ChatList as Chats } from '@parley/client/store';
import type { Folder } from '@parley/protocol';
import { useChatRows } from '@parley/react';
import { Archive, ArrowLeft } from 'lucide-react';
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { useSession, useStore } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import type { Point } from '../../ui/overlays/context-menu.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx';
import styles from './chat-list.module.css';
import { partnerOf } from '../chat/chat-title.ts';
import { ChatRow } from './chat-row.tsx';
import { ListFilters } from './list-filters.tsx';
import { type ListFilter, shownIds } from './shown-chats.ts';
import { useAllChats } from './use-all-chats.ts';
import { useEveryChange } from './use-every-change.ts';
import { useListKeys } from './use-list-keys.ts';
import { usePinOrder } from './use-pin-order.ts';
import { useStepKeys } from './use-step-keys.ts';
import { useRowInSight } from './use-row-in-sight.ts';
import { useRowMenu } from './use-row-menu.ts';
import { useUnfolded } from './use-unfolded.ts';

const PlaceRow = lazy(async () => import('./place-row.tsx'));
const OwnAgents = lazy(async () => import('./own-agents.tsx'));
/** With more conversations than this, a person knows where agents are. */
const FEW_CHATS = 10;

const EditFolder = lazy(async () => import('./edit-folder.tsx'));
const ChatMenu = lazy(async () => import('./chat-menu.tsx'));
const ChannelMenu = lazy(async () => import('./channel-menu.tsx'));

interface OpenMenu {
  chatId: string;
  /** Null for the conversation itself. */
  channelId: string | null;
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
  const { unfolded, onUnfold, tree } = useUnfolded();
  const { items } = useCell(store.inbox);
  const withThreads = useMemo(
    () => new Set(items.flatMap((item) => (item.thread_root_id === null ? [] : item.conversation_id))),
    [items],
  );
  // Their channels.
  useEveryChange(useMemo(() => ids.filter((id) => unfolded.has(id)), [ids, unfolded]));
  const unfoldedOf = (id: string) => (unfolded.has(id) ? store.chat(id).get() : undefined);
  const all = tree?.rowsOf({ ids, unfoldedOf, items }) ?? ids;
  const openRow = tree && route.name === 'chat' ? tree.openRowOf(all, route.chatId, route) : openId;
  const rows = useChatRows({ list, end }, { chats, ids: all, openId: openRow });
  useRowInSight(list, { openId: openRow, ids: rows, isLoading: useAllChats(chats) });

  const isListed = isLoaded && chats.ids.length > 0;
  const stop = useListKeys(list, { isListed, rows, openRow, onUnfold });
  const openMenu = useCallback((rowId: string, at: Element | Point, row: HTMLElement | null) => {
    const [chatId = '', channelId = null] = rowId.split('|');
    setProblem(null);
    setMenu({ chatId, channelId, at, row });
  }, []);
  const { move, lift, note } = usePinOrder(list, { isOn: isListed && filter === 'all', ids, onProblem: setProblem });
  useRowMenu(list, { isListed, onMenu: openMenu, lift });

  if (!isLoaded) return <SkeletonRows label={t('Loading conversations')} />;
  const isSmall = filter === 'all' && chats.ids.length <= FEW_CHATS && !hasMore;
  const ownAgents = isSmall ? <FewChats ids={chats.ids} /> : null;
  if (chats.ids.length === 0)
    return (
      <>
        <EmptyState title={t('No conversations yet. Start one with the pencil button above.')}>
          <BrowseLink />
        </EmptyState>
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
        {rows.map((row) => {
          const marks = { isOpen: row === openRow, isStop: row === stop };
          return row.includes('|') ? (
            <Suspense key={row} fallback={null}>
              <PlaceRow rowId={row} onMenu={openMenu} {...marks} />
            </Suspense>
          ) : (
            <ChatRow
              key={row}
              id={row}
              hasThreads={withThreads.has(row)}
              isUnfolded={unfolded.has(row)}
              onUnfold={onUnfold}
              onMenu={openMenu}
              {...marks}
            />
          );
        })}
        {ids.length === 0 && !hasMore ? <NoRows filter={filter} folder={folder} onEdit={setEditing} /> : null}
        <div ref={end} />
        <p className="ui-spoken" role="status">
          {note}
        </p>
      </nav>
      {ownAgents}
      <Suspense fallback={null}>
        {editing ? <EditFolder folder={editing} onClose={() => setEditing(null)} /> : null}
      </Suspense>
      {menu?.channelId && opened ? (
        <Suspense fallback={null}>
          <ChannelMenu
            key={menu.channelId}
            chat={opened}
            channelId={menu.channelId}
            at={menu.at}
            row={menu.row}
            onProblem={setProblem}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      ) : menu && opened ? (
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

/** Leads to the public groups. */
function BrowseLink() {
  const navigate = useNavigate();
  const { may } = useSession();
  if (!may('browseChats')) return null;
  return (
    <Button size="small" onClick={() => navigate({ name: 'browse' })}>
      {t('Browse groups')}
    </Button>
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
      {filter === 'groups' ? <BrowseLink /> : null}
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
      <span className="ui-cut ui-grow ui-medium">{t('Archived')}</span>
      {unread > 0 ? (
        <span className="ui-count ui-muted" aria-label={t('{count, number} unread', { count: unread })}>
          {unread}
        </span>
      ) : null}
    </button>
  );
}
