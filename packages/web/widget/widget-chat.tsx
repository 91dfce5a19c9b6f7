import { useEffect, useLayoutEffect } from 'react';
import { ConnectionNote } from '../app/connection-note.tsx';
import type { FramedPage } from '../browser/framed-page.ts';
import { useRoute } from '../browser/navigation.ts';
import { Channels, ConversationName } from '../messages/conversation/conversation-header.tsx';
import styles from '../messages/conversation/conversation-header.module.css';
import { OpenConversation } from '../messages/conversation/open-conversation.tsx';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { Spinner } from '../ui/states/spinner.tsx';
import { t } from '../words/t.ts';
import { useWantedChat } from './use-wanted-chat.ts';
import { WidgetHeader } from './widget-header.tsx';

interface WidgetChatProps {
  page: FramedPage;
  /** The id of a conversation, or the username of an agent. */
  wanted: string;
  isOpen: boolean;
  onUnread: (count: number) => void;
  onClose: () => void;
}

/** The conversation. It is shown only while the panel is open: what is shown counts as read. */
export function WidgetChat({ page, wanted, isOpen, onUnread, onClose }: WidgetChatProps) {
  const chatId = useWantedChat(wanted);
  const chat = useCell(useStore().chat(chatId ?? ''));
  const unread = chat?.unread_count ?? 0;
  useEffect(() => onUnread(unread), [onUnread, unread]);
  useLayoutEffect(() => page.setChat(chatId ?? ''), [page, chatId]);
  if (!isOpen) return null;
  return (
    <>
      {chat ? null : <WidgetHeader onClose={onClose} />}
      <ConnectionNote />
      {chatId === undefined ? (
        <EmptyState icon={<Spinner label={t('Loading the conversation')} />} title="" />
      ) : chatId === null ? (
        <EmptyState title={t('You’re not in this conversation, or it was deleted.')} />
      ) : (
        <ShownChat chatId={chatId} onClose={onClose} />
      )}
    </>
  );
}

function ShownChat({ chatId, onClose }: { chatId: string; onClose: () => void }) {
  const route = useRoute();
  // The page opens the conversation after the first render.
  if (route.name !== 'chat' || route.chatId !== chatId) return null;
  const { channelId } = route;
  return (
    <OpenConversation
      route={route}
      header={(chat) => (
        <WidgetHeader onClose={onClose}>
          <h1 className={styles['heading']}>
            <span className={styles['who']}>
              <ConversationName chat={chat} channelId={channelId} />
            </span>
          </h1>
          <Channels chat={chat} channelId={channelId} />
        </WidgetHeader>
      )}
    />
  );
}
