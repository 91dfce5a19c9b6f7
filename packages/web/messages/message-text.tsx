import type { Chat, StoredMessage } from '@parley/client/store';
import { useMemo, useState } from 'react';
import { classNames } from '../app/class-names.ts';
import { useSession } from '../app/session.ts';
import { LiveDocument } from '../markdown/live-document.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { type ShownMessage, ShownMessageContext } from '../markdown/shown-message.ts';
import { isFewEmoji } from './few-emoji.ts';
import { FinishNote } from './finish-note.tsx';
import styles from './message-text.module.css';
import { useByFrame } from './use-by-frame.ts';

const dots = (
  <span className={styles['dots']} role="img" aria-label="is writing">
    <span />
    <span />
    <span />
  </span>
);

/** The text of a message; of one that is being written at most once per frame. */
export function MessageText({ chat, message }: { chat: Chat; message: StoredMessage }) {
  const isLive = message.status === 'streaming';
  const content = useByFrame(message.content, isLive);
  const [document] = useState(() => new LiveDocument());
  const blocks = useMemo(() => document.read(content, isLive), [document, content, isLive]);
  const shown = useShown(chat, message);
  const isThinking = isLive && content.trim() === '';
  return (
    <ShownMessageContext value={shown}>
      {isThinking ? (
        <p className={styles['thinking']}>is thinking{dots}</p>
      ) : blocks.length > 0 ? (
        <div
          className={classNames(
            styles['text'],
            message.is_preview && styles['preview'],
            !isLive && isFewEmoji(content) && styles['emoji'],
          )}
          aria-busy={isLive || undefined}
          data-text
        >
          <Markdown blocks={blocks} tail={isLive ? dots : null} />
        </div>
      ) : null}
      <FinishNote message={message} />
    </ShownMessageContext>
  );
}

/** The same object as long as nothing of it changes: what is finished is not rendered again. */
function useShown(chat: Chat, message: StoredMessage): ShownMessage {
  const { username: me } = useSession();
  const { id, sender, status, outbox, is_preview: isPreview } = message;
  const names = [...chat.participants.map(({ username }) => username), ...message.mentions].join('\n');
  const canAct = sender.kind === 'agent' && status !== 'streaming' && !outbox && !isPreview;
  return useMemo(() => {
    const known = new Set(names.split('\n'));
    return { chatId: chat.id, messageId: id, canAct, sender, me, isKnown: (username: string) => known.has(username) };
  }, [chat.id, id, canAct, sender, me, names]);
}
