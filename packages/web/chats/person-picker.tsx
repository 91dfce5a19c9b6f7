import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../ui/avatar.tsx';
import { Problem } from '../ui/problem.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { PersonLine } from './person-line.tsx';
import styles from './person-picker.module.css';
import { useActiveOption } from './use-active-option.ts';
import type { Person } from './use-known-people.ts';
import { usePeopleSearch } from './use-people-search.ts';

interface PersonPickerProps {
  picked: readonly Person[];
  onChange: (picked: readonly Person[]) => void;
  /** Who is shown before anything is typed, under their headings. */
  groups: readonly { title: string; people: readonly Person[] }[];
  /** Who may be picked at all. */
  isOffered: (person: Person) => boolean;
  label: string;
  /** Before anything is typed and nobody is known. */
  empty: string;
}

/** People and agents are found by name, and picked; the focus stays in the search field. */
export function PersonPicker({ picked, onChange, groups, isOffered, label, empty }: PersonPickerProps) {
  const [typed, setTyped] = useState('');
  const people = usePeopleSearch(typed);
  const isSearching = typed.trim() !== '';
  const shown = (isSearching ? [{ title: '', people: people.value ?? [] }] : groups)
    .map(({ title, people: all }) => ({ title, people: all.filter(isOffered) }))
    .filter((group) => group.people.length > 0);
  const options = shown.flatMap((group) => group.people);
  const isPicked = (username: string): boolean => picked.some((person) => person.username === username);
  const toggle = (username: string) => {
    const person = options.find((option) => option.username === username);
    if (isPicked(username)) onChange(picked.filter((one) => one.username !== username));
    else if (person) onChange([...picked, person]);
    setTyped('');
  };
  const { listId, activeKey, optionId, onPoint, onKey } = useActiveOption(
    options.map(({ username }) => username),
    toggle,
  );
  return (
    <div className={styles['picker']}>
      {picked.length > 0 ? (
        <ul className={styles['chips']} aria-label="Picked">
          {picked.map((person) => (
            <li key={person.username}>
              <button
                type="button"
                className={styles['chip']}
                aria-label={`Leave out ${person.display_name}`}
                onClick={() => toggle(person.username)}
              >
                <Avatar
                  name={person.display_name}
                  username={person.username}
                  kind={person.kind}
                  url={person.avatar_url}
                  size={22}
                />
                <span>{person.display_name}</span>
                <X aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <input
        className={styles['search']}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={options.length > 0}
        aria-controls={listId}
        aria-activedescendant={activeKey === null ? undefined : optionId(activeKey)}
        aria-autocomplete="list"
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          const last = picked.at(-1);
          if (onKey(event) || event.key !== 'Backspace' || typed !== '' || !last) return;
          toggle(last.username);
        }}
      />
      <div className={styles['list']}>
        <div id={listId} role="listbox" aria-multiselectable="true" aria-label={label}>
          {shown.map((group) => (
            <div key={group.title} role="group" aria-label={group.title === '' ? 'Found' : group.title}>
              {group.title === '' ? null : <p className={styles['group']}>{group.title}</p>}
              {group.people.map((person) => (
                <div
                  key={person.username}
                  id={optionId(person.username)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={isPicked(person.username)}
                  data-active={person.username === activeKey || undefined}
                  className={styles['option']}
                  onPointerMove={(event) => onPoint(person.username, event)}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => toggle(person.username)}
                >
                  <PersonLine who={person}>
                    <span className={styles['tick']}>
                      <Check size={14} aria-hidden />
                    </span>
                  </PersonLine>
                </div>
              ))}
            </div>
          ))}
        </div>
        {options.length > 0 ? null : people.error !== null && isSearching ? (
          <Problem text={people.error} onRetry={people.reload} />
        ) : (
          <p className={styles['note']} role="status">
            {!isSearching ? (
              empty
            ) : people.isLate || people.value === undefined ? (
              <Spinner label="Looking" />
            ) : (
              `Nobody’s name begins with “${typed.trim()}”.`
            )}
          </p>
        )}
      </div>
    </div>
  );
}
