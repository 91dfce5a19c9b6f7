// What other apps share. May import: chats/chat and the rooms below chats.
import { folded } from '@parley/protocol/folded';
import { Share2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, type Route } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { PageCard } from '../../ui/layout/page-card.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import styles from './share.module.css';
import { t } from '../../words/t.ts';

/** Maximum conversations in the list; typing finds the others. */
const MAX_SHOWN = 30;

/** What another app shares: the user chooses the conversation, in whose composer it then waits (WEB-341). */
export default function Share({ shared }: { shared: Extract<Route, { name: 'share' }>['shared'] }) {
  const navigate = useNavigate();
  const { store, username } = useSession();
  const { ids } = useCell(store.chats);
  const [sought, setSought] = useState('');
  const found = useMemo(() => {
    const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
    const words = folded(sought.trim());
    return chats.filter((chat) => folded(chatTitle(chat, username)).includes(words)).slice(0, MAX_SHOWN);
  }, [store, ids, sought, username]);

  function choose(chatId: string) {
    const draft = store.draft({ chat_id: chatId }).get();
    const text = [draft?.text.trimEnd() ?? '', shared].filter((part) => part !== '').join('\n');
    store.saveDraft({ chat_id: chatId }, text, draft?.reply_to_id ?? null);
    navigate(chatRoute(chatId), { replace: true });
  }

  return (
    <PageCard icon={<Share2 />} title={t('Share to a conversation')}>
      {shared === '' ? <p>{t('There is nothing to share.')}</p> : <p className={styles['shared']}>{shared}</p>}
      <div className={styles['search']}>
        <Field
          label={t('Find a conversation')}
          type="search"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      </div>
      <ul className={styles['chats']} aria-label={t('Conversations to share to')}>
        {found.map((chat) => (
          <li key={chat.id}>
            <button
              type="button"
              className="ui-hover ui-row-button"
              disabled={shared === ''}
              onClick={() => choose(chat.id)}
            >
              <ChatAvatar chat={chat} size={36} />
              <span className="ui-cut" dir="auto">
                {chatTitle(chat, username)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button onClick={() => navigate({ name: 'home' }, { replace: true })}>{t('Cancel')}</Button>
    </PageCard>
  );
}
