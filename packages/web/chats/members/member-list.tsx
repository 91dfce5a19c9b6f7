// The people and agents of a group. May import: chats/chat, chats/people and the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { Role } from '@parley/protocol';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AddPeople } from './add-people.tsx';
import styles from '../chat/details.module.css';
import { MemberRow } from './member-row.tsx';
import { useMemberCounts } from '../chat/use-member-counts.ts';
import { t } from '../../words/t.ts';

/** The people of a group, loaded in pages. Agents have their own list. */
export function MemberList({ chat, role }: { chat: Chat; role: Role }) {
  const { store, may } = useSession();
  const members = useCell(store.members(chat.id));
  const [isAdding, setIsAdding] = useState(false);
  const { isBusy, errorBut, submit } = useSubmit();
  const counts = useMemberCounts(chat);
  const people = members.items.filter(({ kind }) => kind === 'human');
  return (
    <Section
      level={3}
      title={counts ? t('People ({count, number})', { count: counts.people }) : t('People')}
      action={
        role === 'member' || !may('addMembers') ? null : (
          <Button size="small" look="quiet" onClick={() => setIsAdding(true)}>
            <UserRoundPlus aria-hidden /> {t('Add')}
          </Button>
        )
      }
    >
      <ul className={styles['list']}>
        {people.map((person) => (
          <MemberRow key={person.username} chat={chat} person={person} role={role} />
        ))}
      </ul>
      {members.hasMore ? (
        <Button size="small" isBusy={isBusy} onClick={() => void submit(() => store.loadMembers(chat.id))}>
          {t('Show more')}
        </Button>
      ) : null}
      <Problem text={errorBut()} />
      {isAdding ? <AddPeople chat={chat} onClose={() => setIsAdding(false)} /> : null}
    </Section>
  );
}
