import type { Chat } from '@parley/client/store';
import { Ban, Pencil, SlidersHorizontal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { agentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { OwnConfigDialog } from '../../config/own-config.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { BlockDialog } from '../people/block-dialog.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import styles from '../chat/details.module.css';
import { StatusText } from '../chat/person-status.tsx';
import { partnerOf } from '../chat/chat-title.ts';
import { AgentTerms } from '../members/agent-terms.tsx';
import { ChatName } from './chat-name.tsx';
import { DeleteChat } from './delete-chat.tsx';
import { ScheduledList } from '../later/scheduled-list.tsx';
import { QuickActions } from './quick-actions.tsx';
import { useBlock, useBlockedNames } from '../people/use-block.ts';
import { t } from '../../words/t.ts';

/** Details about the partner of a direct chat. */
export function PartnerDetails({ chat }: { chat: Chat }) {
  const { store, username } = useSession();
  const partner = partnerOf(chat, username);
  const account = useCell(store.account(partner?.username ?? ''));
  const navigate = useNavigate();
  const [isConfiguring, setIsConfiguring] = useState(false);
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
        </div>
      ) : null}
      {account?.is_deleted || owner === username ? null : (
        <BlockButton username={partner.username} displayName={partner.display_name} />
      )}
      {chat.is_separate ? <DeleteChat chat={chat} /> : null}
      {isConfiguring ? <OwnConfigDialog agent={partner} onClose={() => setIsConfiguring(false)} /> : null}
    </>
  );
}

function BlockButton({ username, displayName }: { username: string; displayName: string }) {
  const names = useBlockedNames();
  const blocked = useBlock(username);
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, errorBut, submit } = useSubmit();
  return (
    <div className={styles['divided']}>
      {blocked === null ? (
        <Button look="danger" onClick={() => setIsAsking(true)}>
          <Ban aria-hidden /> {t('Block')}
        </Button>
      ) : (
        <div className={styles['form']}>
          <p className="ui-hint">
            {blocked === username
              ? t('You blocked {name}. Neither of you can write here.', { name: displayName })
              : t('You blocked @{owner}, whose agent this is. Neither of you can write here.', { owner: blocked })}
          </p>
          <Button isBusy={isBusy} onClick={() => void submit(() => names.unblock(blocked))}>
            {t('Unblock')}
          </Button>
        </div>
      )}
      <Problem text={errorBut()} />
      {isAsking ? (
        <BlockDialog username={username} displayName={displayName} onClose={() => setIsAsking(false)} />
      ) : null}
    </div>
  );
}
