import type { Chat } from '@parley/client/store';
import type { Draft } from '@parley/protocol';
import { Hash, MessagesSquare, PencilLine } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { t } from '../../words/t.ts';
import { knownNames } from '../chat/known-names.ts';
import { plainLine } from '../chat/preview.ts';
import { UnreadCount } from './unread-count.tsx';
import { newsOf, placeOfRow } from './list-rows.ts';
import styles from './place-row.module.css';

interface PlaceRowProps {
  rowId: string;
  isOpen: boolean;
  isStop: boolean;
}

const hasText = (draft: Draft | null): boolean => (draft?.text.trim() ?? '') !== '';

/** A channel or a thread below its group: its name, and whether it has a draft, mentions and unread messages. */
export default function PlaceRow({ rowId, ...marks }: PlaceRowProps) {
  const { store } = useSession();
  const chat = useCell(store.chat(placeOfRow(rowId).chatId));
  return chat ? <KnownPlace rowId={rowId} chat={chat} {...marks} /> : null;
}

function KnownPlace({ rowId, chat, isOpen, isStop }: PlaceRowProps & { chat: Chat }) {
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
  const isUnread = count > 0 || unread.length > 0;
  const route = chatRoute(chat.id, { channelId, threadRootId });
  return (
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
      {isDrafted ? <PencilLine className="ui-danger" role="img" aria-label={t('Draft')} /> : null}
      <UnreadCount
        count={count}
        mentions={mentions}
        isMarked={count === 0 && isUnread}
        markLabel={t('Unread')}
        isMuted={chat.is_muted}
      />
    </a>
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
