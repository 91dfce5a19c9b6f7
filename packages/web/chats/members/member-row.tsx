import type { Chat } from '@parley/client/store';
import type { Participant, Role } from '@parley/protocol';
import { Ban, Crown, Ellipsis, MessageCircle, ShieldCheck, ShieldOff, UserRoundMinus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { BlockDialog } from '../people/block-dialog.tsx';
import styles from '../chat/details.module.css';
import { ProfileLine } from '../people/profile-line.tsx';
import { roleNames } from './role-name.ts';
import { useBlock, useBlockedNames } from '../people/use-block.ts';
import { t } from '../../words/t.ts';

interface MemberRowProps {
  chat: Chat;
  person: Participant;
  /** The reader's own role. */
  role: Role;
}

type Question = 'owner' | 'remove' | 'block' | null;

/** A member of a group, with the actions the reader may take. */
export function MemberRow({ chat, person, role }: MemberRowProps) {
  const navigate = useNavigate();
  const { client, store, username } = useSession();
  const [asked, setAsked] = useState<Question>(null);
  const { errorBut, submit } = useSubmit();
  const names = useBlockedNames();
  const isBlocked = useBlock(person.username) !== null;
  const who = { chat_id: chat.id, username: person.username };
  const isMe = person.username === username;
  const mayManage = !isMe && role !== 'member' && person.role !== 'owner';

  async function talk() {
    const direct = await client.call('startChat', { username: person.username });
    store.putChat(direct);
    navigate(chatRoute(direct.id));
  }
  const setRole = (next: Role) => client.call('setMemberRole', { ...who, role: next });
  const change: MenuItem =
    person.role === 'admin'
      ? { label: t('Make member'), icon: <ShieldOff />, onSelect: () => void submit(() => setRole('member')) }
      : { label: t('Make admin'), icon: <ShieldCheck />, onSelect: () => void submit(() => setRole('admin')) };
  const block: MenuItem = isBlocked
    ? { label: t('Unblock'), icon: <Ban />, onSelect: () => void submit(() => names.unblock(person.username)) }
    : { label: t('Block'), icon: <Ban />, isDanger: true, onSelect: () => setAsked('block') };
  const items: (MenuItem | null)[] = [
    { label: t('Open direct chat'), icon: <MessageCircle />, onSelect: () => void submit(talk) },
    ...(mayManage ? [null, change] : []),
    ...(mayManage && role === 'owner'
      ? [{ label: t('Make owner'), icon: <Crown />, onSelect: () => setAsked('owner') }]
      : []),
    ...(mayManage
      ? [
          {
            label: t('Remove from the group'),
            icon: <UserRoundMinus />,
            isDanger: true,
            onSelect: () => setAsked('remove'),
          },
        ]
      : []),
    null,
    block,
  ];
  return (
    <li>
      <div className={styles['item']}>
        <ProfileLine who={person} hasPresence note={isMe ? t('you') : isBlocked ? t('blocked') : undefined} />
        {person.role === 'member' ? null : <span className="ui-fixed ui-small">{roleNames[person.role]}</span>}
        {isMe ? null : (
          <Menu
            items={items}
            trigger={<IconButton label={t('More about {name}', { name: person.display_name })} icon={<Ellipsis />} />}
          />
        )}
      </div>
      <Problem text={errorBut()} />
      {asked === 'owner' ? (
        <Confirm
          title={t('Make someone else the owner')}
          text={t('{name} will own this group. You stay as an admin and can’t take ownership back.', {
            name: person.display_name,
          })}
          action={t('Make owner')}
          onConfirm={() => setRole('owner')}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'block' ? (
        <BlockDialog username={person.username} displayName={person.display_name} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'remove' ? (
        <Confirm
          title={t('Remove {name}', { name: person.display_name })}
          text={t(
            'They and their agents leave and get no more messages from it. If they have an invite link they can come back, so revoke your links too.',
          )}
          action={t('Remove')}
          isDanger
          onConfirm={() => client.call('removeMember', who)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </li>
  );
}
