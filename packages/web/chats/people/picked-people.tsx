import { X } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { shownName } from '../../words/shown-name.ts';
import styles from './person-picker.module.css';
import type { Person } from './use-known-people.ts';
import { t } from '../../words/t.ts';

interface PickedPeopleProps {
  picked: readonly Person[];
  onLeaveOut: (username: string) => void;
}

/** The accounts picked so far, each a button that leaves it out. */
export function PickedPeople({ picked, onLeaveOut }: PickedPeopleProps) {
  if (picked.length === 0) return null;
  return (
    <ul className={styles['chips']} aria-label={t('Selected')}>
      {picked.map((person) => (
        <li key={person.username}>
          <button
            type="button"
            className="ui-chip ui-chosen"
            aria-label={t('Remove {name}', { name: shownName(person) })}
            onClick={() => onLeaveOut(person.username)}
          >
            <Avatar
              name={person.display_name}
              username={person.username}
              kind={person.kind}
              url={person.avatar_url}
              size={24}
            />
            <span>{shownName(person)}</span>
            <X aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
