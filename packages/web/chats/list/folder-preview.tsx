import { useSession } from '../../session/session.ts';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import styles from './edit-folder.module.css';
import { t } from '../../words/t.ts';

/** Number of conversations that the preview names. */
const MAX_NAMED = 4;

/** Names the newest conversations that a folder would show now. */
export function FolderPreview({ ids }: { ids: readonly string[] }) {
  const { store, username: me } = useSession();
  const newest = ids.slice(0, MAX_NAMED).flatMap((id) => store.chat(id).get() ?? []);
  const more = ids.length - newest.length;
  return (
    <section className={styles['preview']} aria-label={t('In the folder now')}>
      <h3>{t('In the folder now')}</h3>
      {newest.length === 0 ? (
        <p className={styles['hint']}>{t('No conversation belongs in this folder at the moment.')}</p>
      ) : null}
      <ul className="ui-bare">
        {newest.map((chat) => (
          <li key={chat.id} className={styles['named']}>
            <ChatAvatar chat={chat} size={22} />
            <span dir="auto">{chatTitle(chat, me)}</span>
          </li>
        ))}
        {more > 0 ? <li className={styles['hint']}>{t('{count, number} more', { count: more })}</li> : null}
      </ul>
    </section>
  );
}
