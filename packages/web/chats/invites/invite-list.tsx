// Invite links of a group and joining by one. May import: chats/chat, chats/people and the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { Result } from '@parley/protocol';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import styles from '../chat/details.module.css';
import { useLoadedWithMembers } from '../chat/use-loaded-with-members.ts';
import { NewInvite } from './new-invite.tsx';
import { untilTime } from '../../words/times.ts';
import { t } from '../../words/t.ts';

type ListedInvite = Result<'getInvites'>['items'][number];

/** The invite links of a group. */
export function InviteList({ chat }: { chat: Chat }) {
  const { client, may } = useSession();
  const chat_id = chat.id;
  const [isAdding, setIsAdding] = useState(false);
  const load = useCallback(async () => (await client.call('getInvites', { chat_id })).items, [client, chat_id]);
  // A new member may have used one of the links: their counts are loaded again.
  const invites = useLoadedWithMembers(chat, load);
  return (
    <Section
      level={3}
      title={t('Invite links')}
      action={
        isAdding || !may('createInvite') ? null : (
          <Button size="small" look="quiet" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New link')}
          </Button>
        )
      }
    >
      {isAdding ? (
        <NewInvite
          chatId={chat_id}
          onClose={() => setIsAdding(false)}
          onInvite={(invite) => {
            invites.put([invite, ...(invites.value ?? [])]);
            setIsAdding(false);
          }}
        />
      ) : null}
      <LoadedView
        loaded={invites}
        label={t('Loading invites')}
        empty={t('No invite links yet. Anyone with a link can join.')}
      >
        {(items) => (
          <ul className={classNames(styles['list'], styles['invites'])}>
            {items.map((invite) => (
              <InviteCard
                key={invite.id}
                invite={invite}
                onRevoked={() => invites.put(items.filter(({ id }) => id !== invite.id))}
              />
            ))}
          </ul>
        )}
      </LoadedView>
    </Section>
  );
}

function InviteCard({ invite, onRevoked }: { invite: ListedInvite; onRevoked: () => void }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { url, expires_at, max_uses, uses } = invite;
  const link = url === undefined ? null : new URL(url, location.origin).href;
  const about = [
    max_uses === undefined
      ? t('{uses, number} joined', { uses })
      : t('{uses, number} of {max, number} joined', { uses, max: max_uses }),
    expires_at === undefined ? t('does not expire') : t('until {time}', { time: untilTime(expires_at) }),
  ].join(' · ');
  async function revoke() {
    if (await submit(() => client.call('revokeInvite', { invite_id: invite.id }))) onRevoked();
  }
  return (
    <li className="ui-card">
      {link === null ? (
        <p className="ui-hint">{t('This link can’t be shown again. Create a new one if you need it.')}</p>
      ) : (
        <CopiedField label={t('Invite link')} value={link} />
      )}
      <span className="ui-hint">{about}</span>
      <div className={styles['buttons']}>
        <Button size="small" look="quiet" isBusy={isBusy} onClick={() => void revoke()}>
          {t('Revoke')}
        </Button>
        {link === null ? null : <CopyButton text={link} label={t('Copy link')} />}
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}
