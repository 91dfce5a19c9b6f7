import type { StoredMessage } from '@parley/client/store';
import { type KeyboardEvent, useRef, useState } from 'react';
import { errorText } from '../app/error-text.ts';
import { chatRoute, navigate } from '../app/route.ts';
import { useSession } from '../app/session.ts';
import { useCell } from '../app/use-cell.ts';
import { ChatAvatar } from '../chats/chat-avatar.tsx';
import { chatTitle } from '../chats/chat-title.ts';
import { Dialog } from '../ui/dialog.tsx';
import styles from './dialogs.module.css';

/** Into which conversation a message is copied. */
export default function ForwardDialog({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const [search, setSearch] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLowerCase();
  const chats = ids
    .flatMap((id) => store.chat(id).get() ?? [])
    .filter((chat) => chatTitle(chat, username).toLowerCase().includes(wanted));

  async function forward(chatId: string) {
    setIsBusy(true);
    setError(null);
    try {
      const { items } = await client.call('forwardMessages', { message_ids: [message.id], to_chat_id: chatId });
      if (items.length === 0) throw new Error('nothing was copied');
      onClose();
      navigate(chatRoute(chatId));
    } catch (failure) {
      setError(errorText(failure));
      setIsBusy(false);
    }
  }

  /** Arrows go through the list, also from the search field. */
  function move(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  }

  return (
    <Dialog title="Forward to" isOpen onClose={onClose}>
      <div className={styles['choice']} onKeyDown={move} role="presentation">
        <input
          className={styles['search']}
          type="search"
          placeholder="Search conversations"
          aria-label="Search conversations"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <div ref={list} className={styles['chats']}>
          {chats.map((chat) => (
            <button key={chat.id} type="button" disabled={isBusy} onClick={() => void forward(chat.id)}>
              <ChatAvatar chat={chat} size={36} />
              <span>{chatTitle(chat, username)}</span>
            </button>
          ))}
          {chats.length === 0 ? <p className={styles['none']}>No conversation has this name.</p> : null}
        </div>
        <p className={styles['error']} role="alert">
          {error}
        </p>
      </div>
    </Dialog>
  );
}
