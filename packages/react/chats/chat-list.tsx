import type { Chat } from '@parley/client/store';
import { memo, type ReactElement, type ReactNode, useMemo, useRef } from 'react';
import { useChat, useMessage } from '../hooks.ts';
import { useStoreCell } from '../use-store-cell.ts';
import { useTrouble } from '../use-trouble.ts';
import { useChatRows } from './use-chat-rows.ts';

const english = {
  conversations: 'Conversations',
  loading: 'Loading conversations',
  failing: 'Couldn’t connect. Trying again …',
  refused: 'You’re signed out. Sign in again.',
  empty: 'No conversations yet.',
  saved: 'Saved messages',
  unread: (count: number): string => `${count} unread`,
};
/** Maximum characters shown of the newest message: more than a line has. */
const MAX_LETTERS = 200;

export type ChatListLabels = typeof english;

export interface ChatListProps {
  /** The conversation that is open. */
  openId?: string | null;
  onOpen: (chatId: string) => void;
  /** What a row contains; by default the title, the newest message and the number of unread ones. */
  renderChat?: ((chat: Chat) => ReactNode) | undefined;
  labels?: Partial<ChatListLabels>;
}

/**
 * The conversations, pinned ones first, then the most recently active; a long list grows as it is scrolled. It says why it
 * cannot load.
 */
export function ChatList({ openId = null, onOpen, renderChat, ...props }: ChatListProps): ReactElement {
  const labels = useMemo(() => ({ ...english, ...props.labels }), [props.labels]);
  const chats = useStoreCell((store) => store.chats);
  const trouble = useTrouble();
  const list = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const hidden = new Set([...chats.archived, ...chats.pinned]);
  const ids = [...chats.pinned, ...chats.ids.filter((id) => !hidden.has(id))];
  const rows = useChatRows({ list, end }, { chats, ids, openId });
  const isBare = ids.length === 0 && !chats.hasMore;
  const note = trouble === 'refused' || (isBare && !chats.isLoaded) ? (trouble ?? 'loading') : isBare ? 'empty' : null;
  return (
    <nav ref={list} className="parley-chats" style={{ overflowY: 'auto' }} aria-label={labels.conversations}>
      {note && (
        <p className="parley-chats-note" role="status">
          {labels[note]}
        </p>
      )}
      {rows.map((id) => (
        <Row key={id} id={id} isOpen={id === openId} {...{ onOpen, renderChat, labels }} />
      ))}
      <div ref={end} />
    </nav>
  );
}

interface RowProps extends Pick<ChatListProps, 'onOpen' | 'renderChat'> {
  id: string;
  isOpen: boolean;
  labels: ChatListLabels;
}

const Row = memo(function Row({ id, isOpen, onOpen, renderChat, labels }: RowProps) {
  const chat = useChat(id);
  if (!chat) return null;
  return (
    <button type="button" className="parley-chat" aria-current={isOpen ? 'page' : undefined} onClick={() => onOpen(id)}>
      {renderChat ? renderChat(chat) : <Content chat={chat} labels={labels} />}
    </button>
  );
});

function Content({ chat, labels }: { chat: Chat; labels: ChatListLabels }): ReactElement {
  const me = useStoreCell((store) => store.me);
  const last = useMessage(chat.last_message_id ?? '');
  return (
    <>
      <span className="parley-chat-title" dir="auto">
        {titleOf(chat, me?.username, labels)}
      </span>
      {chat.unread_count > 0 && (
        <span className="parley-chat-unread" aria-label={labels.unread(chat.unread_count)}>
          {chat.unread_count}
        </span>
      )}
      <span className="parley-chat-last" dir="auto">
        {last?.content.slice(0, MAX_LETTERS)}
      </span>
    </>
  );
}

/** The title of a conversation; of a direct chat, the name of the other participant. */
function titleOf(
  { title, kind, participants, participant_count: count }: Chat,
  me: string | undefined,
  labels: ChatListLabels,
): string {
  const others = participants.filter(({ username }) => username !== me);
  if (kind === 'direct' && count === 1) return labels.saved;
  return title ?? others.map((one) => one.display_name).join(', ');
}
