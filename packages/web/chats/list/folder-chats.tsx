import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import { useFoundChats } from '../chat/use-found-chats.ts';
import styles from './edit-folder.module.css';
import { t } from '../../words/t.ts';

/** Number of conversations to choose from; typing finds the others. */
const MAX_FOUND = 5;

interface FolderChatsProps {
  title: string;
  hint?: string;
  ids: readonly string[];
  /** No more can be added. */
  isFull?: boolean;
  onAdd: (chatId: string) => void;
  onRemove: (chatId: string) => void;
}

/** Conversations that a folder names, each a button that removes it, and a search for more. */
export function FolderChats({ title, hint, ids, isFull = false, onAdd, onRemove }: FolderChatsProps) {
  const { store, username: me } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  const titleId = useId();
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  return (
    <section className={styles['part']} aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {hint === undefined ? null : <p className={styles['hint']}>{hint}</p>}
      {chats.length === 0 ? null : (
        <ul className={styles['chips']}>
          {chats.map((chat) => (
            <li key={chat.id}>
              <button
                type="button"
                className="ui-chip ui-chosen"
                aria-label={t('Remove {name}', { name: chatTitle(chat, me) })}
                onClick={() => onRemove(chat.id)}
              >
                <ChatAvatar chat={chat} size={22} />
                <span dir="auto">{chatTitle(chat, me)}</span>
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isFull ? null : isAdding ? (
        <Finder known={ids} onAdd={onAdd} />
      ) : (
        <Button size="small" look="quiet" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden /> {t('Add a conversation')}
        </Button>
      )}
    </section>
  );
}

function Finder({ known, onAdd }: { known: readonly string[]; onAdd: (chatId: string) => void }) {
  const { username: me } = useSession();
  const [typed, setTyped] = useState('');
  const { chats } = useFoundChats(typed, MAX_FOUND + known.length);
  const found = chats.filter(({ id }) => !known.includes(id)).slice(0, MAX_FOUND);
  const add = (chatId: string) => {
    onAdd(chatId);
    setTyped('');
  };
  return (
    <div className={styles['finder']}>
      <Field
        label={t('Find a conversation')}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // It would save the form.
          event.preventDefault();
          const [first] = found;
          if (typed !== '' && first) add(first.id);
        }}
      />
      <ul className="ui-bare">
        {found.map((chat) => (
          <li key={chat.id}>
            <button
              type="button"
              className={styles['row']}
              aria-label={t('Add {name}', { name: chatTitle(chat, me) })}
              onClick={() => add(chat.id)}
            >
              <ChatAvatar chat={chat} size={28} />
              <span dir="auto">{chatTitle(chat, me)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
