import type { Chat } from '@parley/client/store';
import { Pin } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { knownNames } from '../../chats/chat/known-names.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import styles from './pins-bar.module.css';
import { t } from '../../words/t.ts';

/** Shows one pinned message at a time, newest first. A click jumps to it and shows the next. */
export function PinsBar({ chat, channelId }: { chat: Chat; channelId: string | null }) {
  const navigate = useNavigate();
  const store = useStore();
  // Messages that the user has cleared or hidden stay pinned for the others.
  const [missing, setMissing] = useState<readonly string[]>([]);
  const pins = chat.pinned_message_ids.filter((one) => !missing.includes(one));
  const [shown, setShown] = useState(0);
  const at = shown % Math.max(1, pins.length);
  const id = pins[at];
  const message = useCell(store.message(id ?? ''));
  useEffect(() => {
    if (id === undefined || message) return;
    store.loadMessages([id]).then(
      () => store.message(id).get() ?? setMissing((known) => [...known, id]),
      () => undefined,
    );
  }, [store, id, message]);
  if (id === undefined) return null;
  const open = () => {
    if (message) {
      const { channel_id, thread_root_id } = message;
      const replace = channel_id === channelId && thread_root_id === null;
      navigate(chatRoute(chat.id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }), { replace });
    }
    setShown(at + 1);
  };
  return (
    <button type="button" className={styles['bar']} onClick={open}>
      <Pin className="ui-accent" />
      <span className={styles['text']} dir="auto">
        {message ? plainLine(message, knownNames(store, chat)) : t('Pinned message')}
      </span>
      {pins.length > 1 ? (
        <span className="ui-fixed ui-small">
          {t('{number, number} of {count, number}', { number: at + 1, count: pins.length })}
        </span>
      ) : null}
    </button>
  );
}
