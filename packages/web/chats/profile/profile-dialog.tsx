import type { Account } from '@parley/protocol';
import { useCallback } from 'react';
import { useMedia } from '../../browser/use-media.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { SERVICE } from '../../words/service-names.ts';
import { handleOf, nameAlone } from '../../words/shown-name.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import details from '../chat/details.module.css';
import { StatusText } from '../chat/person-status.tsx';
import { PresenceDot } from '../chat/presence-dot.tsx';
import { BlockButton } from '../people/block-button.tsx';
import { useNameOf } from '../people/use-name-of.ts';
import { AgentProfile } from './agent-profile.tsx';
import { CommonGroups } from './common-groups.tsx';
import { ProfileActions } from './profile-actions.tsx';
import styles from './profile.module.css';
import { t } from '../../words/t.ts';

interface ProfileDialogProps {
  username: string;
  onClose: () => void;
}

/** The profile of a person or an agent (WEB-540); on a phone a sheet at the bottom. */
export default function ProfileDialog({ username, onClose }: ProfileDialogProps) {
  const { client, store } = useSession();
  const isNarrow = useMedia('(max-width: 640px)');
  const known = useCell(store.account(username));
  const load = useCallback(async () => client.call('getUser', { username }), [client, username]);
  const loaded = useLoaded(load);
  const account = loaded.value ?? known;
  return (
    <Dialog title={t('Profile')} isOpen onClose={onClose} shape={isNarrow ? 'bottom' : 'middle'}>
      {account ? (
        <Profile account={account} onClose={onClose} />
      ) : (
        <LoadedView loaded={loaded} label={t('Loading the profile')}>
          {(value) => <Profile account={value} onClose={onClose} />}
        </LoadedView>
      )}
    </Dialog>
  );
}

function Profile({ account, onClose }: { account: Account; onClose: () => void }) {
  const { username: me } = useSession();
  const { username, kind, display_name, bio, avatar_url, parent_username, agent_provider } = account;
  const isAgent = kind === 'agent';
  const isDeleted = account.is_deleted === true;
  const owner = useNameOf(agent_provider === SERVICE ? undefined : parent_username);
  const isMine = username === me || parent_username === me;
  return (
    <div className={details['content']}>
      <div className={details['about']}>
        <span className="ui-badged">
          <Avatar name={display_name} username={username} kind={kind} url={avatar_url} size={88} />
          <PresenceDot username={username} kind={kind} />
        </span>
        <h3 dir="auto">{nameAlone(display_name)}</h3>
        <p className="ui-small">
          {isAgent ? `${t('agent')} · ` : ''}
          {handleOf(username)}
        </p>
        {isAgent && owner !== '' ? (
          <p className="ui-small">
            {parent_username === me ? t('This agent is yours.') : t('This is {owner}’s agent.', { owner })}
          </p>
        ) : null}
        {isAgent ? null : <StatusText username={username} hasEnd />}
        {bio ? (
          <p className={styles['bio']} dir="auto">
            {bio}
          </p>
        ) : null}
        {isDeleted ? <p>{t('This account was deleted.')}</p> : null}
      </div>
      {isDeleted ? null : <ProfileActions account={account} onClose={onClose} />}
      {isAgent && !isDeleted ? <AgentProfile username={username} owner={owner} /> : null}
      {username === me ? null : <CommonGroups username={username} onClose={onClose} />}
      {isMine || isDeleted || agent_provider === SERVICE ? null : (
        <div className={details['divided']}>
          <BlockButton username={username} displayName={display_name} />
        </div>
      )}
    </div>
  );
}
