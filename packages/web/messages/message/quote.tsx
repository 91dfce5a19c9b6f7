import type { Chat, StoredMessage } from '@parley/client/store';
import { useEffect } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { knownNames } from '../../chats/chat/known-names.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import styles from './quote.module.css';
import { t } from '../../words/t.ts';

interface QuoteProps {
  chat: Chat;
  /** The message that contains the quote. */
  message: StoredMessage;
  quotedId: string;
}

/** The message being replied to, in one line. A click jumps to it. */
export function Quote({ chat, message, quotedId }: QuoteProps) {
  const navigate = useNavigate();
  const store = useStore();
  const quoted = useCell(store.message(quotedId));
  useEffect(() => {
    if (!quoted) void store.loadMessages([quotedId]).catch(() => undefined);
  }, [store, quotedId, quoted]);
  if (!quoted) return <p className={styles['gone']}>{t('This message was deleted')}</p>;
  const { channel_id, thread_root_id } = quoted;
  const route = chatRoute(chat.id, { channelId: channel_id, threadRootId: thread_root_id, messageId: quotedId });
  // A jump within the timeline adds no history entry.
  const replace =
    quoted.conversation_id === message.conversation_id &&
    channel_id === message.channel_id &&
    thread_root_id === message.thread_root_id;
  return (
    <button type="button" className={styles['quote']} onClick={() => navigate(route, { replace })}>
      <span className={styles['name']}>{shownName(quoted.sender)}</span>
      <span className={styles['text']} dir="auto">
        {plainLine(quoted, knownNames(store, chat))}
      </span>
    </button>
  );
}
