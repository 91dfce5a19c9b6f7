import type { StoredMessage } from '@parley/client/store';
import { type KeyboardEvent, useRef, useState } from 'react';
import { errorText } from '../../words/error-text.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { ChatAvatar, SavedAvatar } from '../../chats/chat/chat-avatar.tsx';
import { chatTitle, isSavedMessages } from '../../chats/chat/chat-title.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './dialogs.module.css';

const SAVED = 'Saved messages';

/** Chooses the conversation to forward to; saved messages come first. */
export default function ForwardDialog({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const navigate = useNavigate();
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const [search, setSearch] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLowerCase();
  const known = ids.flatMap((id) => store.chat(id).get() ?? []);
  const saved = known.find((chat) => isSavedMessages(chat));
  const isSavedMeant = SAVED.toLowerCase().includes(wanted);
  const others = known.filter((chat) => chat !== saved && chatTitle(chat, username).toLowerCase().includes(wanted));

  /** Without an id it forwards to saved messages, which may not exist yet. */
  async function forward(id: string | undefined) {
    setIsBusy(true);
    setError(null);
    try {
      const chatId = id ?? (await save());
      const { items } = await client.call('forwardMessages', { message_ids: [message.id], to_chat_id: chatId });
      if (items.length === 0) throw new Error('nothing was copied');
      onClose();
      navigate(chatRoute(chatId));
    } catch (failure) {
      setError(errorText(failure));
      setIsBusy(false);
    }
  }

  async function save(): Promise<string> {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    return chat.id;
  }

  /** The arrow keys move through the list, also from the search field. */
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
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            list.current?.querySelector('button')?.click();
          }}
        />
        <div ref={list} className={styles['chats']}>
          {isSavedMeant ? (
            <button type="button" disabled={isBusy} onClick={() => void forward(saved?.id)}>
              <SavedAvatar size={36} />
              <span>{SAVED}</span>
            </button>
          ) : null}
          {others.map((chat) => (
            <button key={chat.id} type="button" disabled={isBusy} onClick={() => void forward(chat.id)}>
              <ChatAvatar chat={chat} size={36} />
              <span>{chatTitle(chat, username)}</span>
            </button>
          ))}
          {others.length === 0 && !isSavedMeant ? (
            <p className={styles['none']}>No conversation found. Try another name.</p>
          ) : null}
        </div>
        <p className={styles['error']} role="alert">
          {error}
        </p>
      </div>
    </Dialog>
  );
}
