import type { Chat } from '@parley/client/store';
import { BookHeart, LibraryBig, Pencil, SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { agentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { OwnConfigDialog } from '../../config/own-config.tsx';
import { Button } from '../../ui/button.tsx';
import { BlockButton } from '../people/block-button.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from '../chat/details.module.css';
import { StatusText } from '../chat/person-status.tsx';
import { partnerOf } from '../chat/chat-title.ts';
import { AgentTerms } from '../members/agent-terms.tsx';
import { ChatName } from './chat-name.tsx';
import { DeleteChat } from './delete-chat.tsx';
import { ScheduledList } from '../later/scheduled-list.tsx';
import { QuickActions } from './quick-actions.tsx';
import { t } from '../../words/t.ts';

const AgentNotes = lazy(async () => import('../members/agent-notes.tsx'));
const AgentSources = lazy(async () => import('../members/agent-sources.tsx'));

/** Details about the partner of a direct chat. */
export function PartnerDetails({ chat }: { chat: Chat }) {
  const { store, username } = useSession();
  const partner = partnerOf(chat, username);
  const account = useCell(store.account(partner?.username ?? ''));
  const navigate = useNavigate();
  const [isConfiguring, setIsConfiguring] = useState(false);
  const [shown, setShown] = useState<'notes' | 'sources' | null>(null);
  const name = partner?.username;
  useEffect(() => {
    if (name !== undefined) void store.loadAccounts([name]).catch(() => undefined);
  }, [store, name]);
  if (!partner) return null;
  const isAgent = partner.kind === 'agent';
  const owner = account?.parent_username;
  const isEditable = owner === username && account?.agent_provider !== 'bot' && account?.is_deleted !== true;
  return (
    <>
      {chat.is_separate ? <ChatName chat={chat} /> : null}
      <div className={styles['about']}>
        <ChatAvatar chat={chat} size={88} />
        <h3>{shownName(partner)}</h3>
        <p>
          {isAgent ? `${t('agent')} · ` : ''}
          {handleOf(partner.username)}
        </p>
        {isAgent ? null : <StatusText username={partner.username} hasEnd />}
        {account?.bio ? <p dir="auto">{account.bio}</p> : null}
        {isAgent && account?.is_deleted !== true ? (
          <AgentTerms username={partner.username} className={undefined} />
        ) : null}
        {account?.is_deleted ? <p>{t('This account was deleted.')}</p> : null}
      </div>
      <QuickActions chat={chat} />
      <ScheduledList chat={chat} />
      {isAgent ? (
        <div className={classNames(styles['divided'], styles['quick'])}>
          {isEditable ? (
            <Button onClick={() => navigate(agentRoute(partner.username))}>
              <Pencil aria-hidden /> {t('Edit')}
            </Button>
          ) : null}
          <Button onClick={() => setIsConfiguring(true)}>
            <SlidersHorizontal aria-hidden /> {t('Your settings for it')}
          </Button>
          {account?.agent_provider === 'bot' ? null : (
            <>
              <Button onClick={() => setShown('notes')}>
                <BookHeart aria-hidden /> {t('What it remembers')}
              </Button>
              <Button onClick={() => setShown('sources')}>
                <LibraryBig aria-hidden /> {t('Its library')}
              </Button>
            </>
          )}
        </div>
      ) : null}
      {account?.is_deleted || owner === username ? null : (
        <div className={styles['divided']}>
          <BlockButton username={partner.username} displayName={partner.display_name} />
        </div>
      )}
      {chat.is_separate ? <DeleteChat chat={chat} /> : null}
      {isConfiguring ? <OwnConfigDialog agent={partner} onClose={() => setIsConfiguring(false)} /> : null}
      <Suspense fallback={null}>
        {shown === 'notes' ? <AgentNotes chat={chat} agent={partner} onClose={() => setShown(null)} /> : null}
        {shown === 'sources' ? <AgentSources agent={partner} onClose={() => setShown(null)} /> : null}
      </Suspense>
    </>
  );
}
