import { Check } from 'lucide-react';
import { classNames } from '../../browser/class-names.ts';
import type { ActiveOption } from '../../ui/use-active-option.ts';
import type { PeopleGroup } from './people-groups.ts';
import { PersonLine } from './person-line.tsx';
import styles from './person-picker.module.css';
import type { Person } from './use-known-people.ts';

interface PersonOptionsProps {
  label: string;
  groups: readonly PeopleGroup[];
  active: ActiveOption;
  isPicked: (username: string) => boolean;
  /** Why an account cannot be picked; null if it can. */
  obstacleOf: (person: Person) => string | null;
  onToggle: (username: string) => void;
}

/** The accounts to pick from, in groups. The focus stays in the search field. */
export function PersonOptions({ label, groups, active, isPicked, obstacleOf, onToggle }: PersonOptionsProps) {
  const { listId, activeKey, optionId, onPoint } = active;
  return (
    <div id={listId} role="listbox" aria-multiselectable="true" aria-label={label}>
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <p className="ui-group-title">{group.title}</p>
          {group.people.map((person) => {
            const obstacle = obstacleOf(person);
            const isFree = obstacle === null;
            return (
              <div
                key={person.username}
                id={optionId(person.username)}
                role="option"
                tabIndex={-1}
                aria-selected={isPicked(person.username)}
                aria-disabled={isFree ? undefined : true}
                data-active={person.username === activeKey || undefined}
                className={styles['option']}
                onPointerMove={isFree ? (event) => onPoint(person.username, event) : undefined}
                onPointerDown={(event) => event.preventDefault()}
                onClick={isFree ? () => onToggle(person.username) : undefined}
              >
                <PersonLine who={person} kindNote={obstacle || undefined}>
                  <span className={classNames(styles['tick'], isPicked(person.username) && 'ui-checked')}>
                    <Check aria-hidden />
                  </span>
                </PersonLine>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
