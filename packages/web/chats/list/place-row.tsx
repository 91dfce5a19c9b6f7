import type { Chat } from '@parley/client/store';
import type { Draft } from '@parley/protocol';
import { BellOff, Ellipsis, Hash, MessagesSquare, PencilLine } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/t.ts';
import { isChannelMuted } from '../chat/channel-mutes.ts';
import { knownNames } from '../chat/known-names.ts';
import { plainLine } from '../chat/preview.ts';
import { UnreadCount } from './unread-count.tsx';
import type { OnMenu } from './use-row-menu.ts';
import { newsOf, placeOfRow } from './list-rows.ts';
import list from './chat-list.module.css';
import styles from './place-row.module.css';

interface PlaceRowProps {
  rowId: string;
  isOpen: boolean;
  isStop: boolean;
  onMenu: OnMenu;
}

const hasText = (draft: Draft | null): boolean => (draft?.text.trim() ?? '') !== '';

/** A channel or a thread below its group: its name, and whether it has a draft, mentions and unread messages. */
export default function PlaceRow({ rowId, ...marks }: PlaceRowProps) {
  const { store } = useSession();
  const chat = useCell(store.chat(placeOfRow(rowId).chatId));
  return chat ? <KnownPlace rowId={rowId} chat={chat} {...marks} /> : null;
}

function KnownPlace({ rowId, chat, isOpen, isStop, onMenu }: PlaceRowProps & { chat: Chat }) {
  const navigate = useNavigate();
  const { store } = useSession();
  const { channelId, threadRootId } = placeOfRow(rowId);
  const { items } = useCell(store.inbox);
  const key = { chat_id: chat.id, channel_id: channelId, thread_root_id: threadRootId };
  const isDrafted = useCellByFrame(store.draft(key), hasText) && !isOpen;
  const unread = newsOf(items, rowId).filter(({ position }) => position > chat.last_read_position);
  const mentions = unread.filter(({ reason }) => reason === 'mention' || reason === 'reply').length;
  const channel = threadRootId === null ? chat.channels.find(({ id }) => id === channelId) : undefined;
  const count = channel?.unread_count ?? 0;
  const isMuted = chat.channels.some((one) => one.id === channelId && isChannelMuted(one));
  const isUnread = (count > 0 && !isMuted) || unread.length > 0;
  const route = chatRoute(chat.id, { channelId, threadRootId });
  const row = (
    <a
      href={hrefOf(route)}
      data-list-row={rowId}
      tabIndex={isStop ? 0 : -1}
      className={classNames(
        styles['row'],
        threadRootId !== null && channelId !== null && styles['deep'],
        isUnread && styles['unread'],
        isOpen && styles['open'],
      )}
      aria-current={isOpen ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(route);
      }}
    >
      {threadRootId === null ? <Hash aria-hidden /> : <MessagesSquare aria-label={t('Thread')} />}
      <span className="ui-one-line ui-grow" dir="auto">
        {threadRootId === null ? channel?.title : <ThreadWords chat={chat} rootId={threadRootId} />}
      </span>
      {channel && isMuted ? <BellOff role="img" aria-label={t('muted')} /> : null}
      {isDrafted ? <PencilLine className="ui-danger" role="img" aria-label={t('Draft')} /> : null}
      <UnreadCount
        count={count}
        mentions={mentions}
        isMarked={count === 0 && unread.length > 0}
        markLabel={t('Unread')}
        isMuted={chat.is_muted || isMuted}
      />
    </a>
  );
  if (!channel) return row;
  return (
    <div className={classNames(list['item'], styles['item'])} data-channel-row={rowId}>
      {row}
      <IconButton
        className={classNames(list['more'], styles['more'])}
        tabIndex={isStop ? 0 : -1}
        label={t('Actions for {title}', { title: `#${channel.title}` })}
        aria-haspopup="menu"
        icon={<Ellipsis />}
        onClick={({ currentTarget }) => onMenu(rowId, currentTarget, currentTarget)}
      />
    </div>
  );
}

/** A thread is called by its first message. */
function ThreadWords({ chat, rootId }: { chat: Chat; rootId: string }) {
  const { store } = useSession();
  const root = useMessageRow(rootId);
  const account = useCell(store.account(root?.sender.username ?? ''));
  useEffect(() => {
    if (!root) void store.loadMessages([rootId]).catch(() => undefined);
  }, [store, rootId, root]);
  if (!root) return t('Thread');
  return `${account?.display_name ?? root.sender.display_name}: ${plainLine(root, knownNames(store, chat))}`;
}
