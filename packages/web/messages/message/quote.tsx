import type { Chat, StoredMessage } from '@parley/client/store';
import { useEffect } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { shownName } from '../../words/shown-name.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import styles from './quote.module.css';

interface QuoteProps {
  chat: Chat;
  /** The one that answers. */
  message: StoredMessage;
  quotedId: string;
}

/** What a message answers, in one line; a click goes there. */
export function Quote({ chat, message, quotedId }: QuoteProps) {
  const navigate = useNavigate();
  const store = useStore();
  const quoted = useCell(store.message(quotedId));
  useEffect(() => {
    if (!quoted) void store.loadMessages([quotedId]).catch(() => undefined);
  }, [store, quotedId, quoted]);
  if (!quoted) return <p className={styles['gone']}>A message that is not there any more</p>;
  const nameOf = (username: string): string | undefined => {
    const person = store.account(username).get() ?? chat.participants.find((one) => one.username === username);
    return person && shownName(person);
  };
  const { channel_id, thread_root_id } = quoted;
  const route = chatRoute(chat.id, { channelId: channel_id, threadRootId: thread_root_id, messageId: quotedId });
  // Within one timeline it is a movement, and no step for Back.
  const replace = channel_id === message.channel_id && thread_root_id === message.thread_root_id;
  return (
    <button type="button" className={styles['quote']} onClick={() => navigate(route, { replace })}>
      <span className={styles['name']}>{shownName(quoted.sender)}</span>
      <span className={styles['text']} dir="auto">
        {plainLine(quoted, nameOf)}
      </span>
    </button>
  );
}
