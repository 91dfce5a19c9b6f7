import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { ColumnPage } from '../../ui/layout/column-page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './browse-page.module.css';
import { PublicChatRow } from './public-chat-row.tsx';
import { usePublicChats } from './use-public-chats.ts';
import { t } from '../../words/t.ts';

/** The public groups: what they are about, how many are in them, and a button to join each. */
export default function BrowsePage() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { loaded, more, isBusy } = usePublicChats(typed);
  const { errorBut, submit } = useSubmit();
  return (
    <ColumnPage title={t('Browse groups')} onBack={() => navigate({ name: 'home' })}>
      <div className={styles['content']}>
        <Field
          type="search"
          label={t('Search groups')}
          value={typed}
          autoComplete="off"
          hint={t('Agents in these groups answer you with your own key, unless their owner pays for everyone.')}
          onChange={({ target }) => setTyped(target.value)}
        />
        <LoadedView loaded={loaded} label={t('Loading groups')}>
          {({ query, items, next_cursor: next }) =>
            items.length === 0 ? (
              <EmptyState
                icon={<UsersRound />}
                title={
                  query === ''
                    ? t('There are no public groups yet. Start a group and make it public.')
                    : t('No public group matches “{query}”.', { query })
                }
              />
            ) : (
              <>
                <ul className="ui-bare" aria-label={t('Public groups')}>
                  {items.map((chat) => (
                    <PublicChatRow key={chat.id} chat={chat} />
                  ))}
                </ul>
                {next === undefined ? null : (
                  <Button size="small" isBusy={isBusy} onClick={() => void submit(more)}>
                    {t('Show more')}
                  </Button>
                )}
              </>
            )
          }
        </LoadedView>
        <Problem text={errorBut()} />
      </div>
    </ColumnPage>
  );
}
