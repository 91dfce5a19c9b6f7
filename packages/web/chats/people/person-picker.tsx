import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { shownName } from '../../words/shown-name.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { PersonLine } from './person-line.tsx';
import styles from './person-picker.module.css';
import { useActiveOption } from '../../ui/use-active-option.ts';
import type { Person } from './use-known-people.ts';
import { usePeopleSearch } from './use-people-search.ts';

interface PersonPickerProps {
  picked: readonly Person[];
  onChange: (picked: readonly Person[]) => void;
  /** Accounts listed before anything is typed. */
  known: readonly Person[];
  /** Filters the listed accounts. */
  isOffered: (person: Person) => boolean;
  /** Why a listed account cannot be picked now; null if it can, '' if `hint` gives the reason. */
  whyNot?: (person: Person) => string | null;
  hint?: string | undefined;
  label: string;
  /** Shown if nothing is typed and `known` is empty. */
  empty: string;
}

const nobodyIsKept = (): null => null;

/** Searches and picks people and agents; the focus stays in the search field. */
export function PersonPicker({
  picked,
  onChange,
  known,
  isOffered,
  whyNot = nobodyIsKept,
  hint,
  label,
  empty,
}: PersonPickerProps) {
  const [typed, setTyped] = useState('');
  const people = usePeopleSearch(typed);
  const isSearching = typed.trim() !== '';
  const shown = byKind((isSearching ? (people.value ?? []) : known).filter(isOffered));
  const options = shown.flatMap((group) => group.people);
  const isPicked = (username: string): boolean => picked.some((person) => person.username === username);
  const obstacleOf = (person: Person): string | null => (isPicked(person.username) ? null : whyNot(person));
  const toggle = (username: string) => {
    const person = options.find((option) => option.username === username);
    if (isPicked(username)) onChange(picked.filter((one) => one.username !== username));
    else if (person) onChange([...picked, person]);
    setTyped('');
  };
  const { listId, activeKey, optionId, onPoint, onKey } = useActiveOption(
    options.filter((person) => obstacleOf(person) === null).map(({ username }) => username),
    toggle,
    // After a pick Enter submits the form, until the user types or presses an arrow key.
    isSearching || picked.length === 0,
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
                aria-label={`Leave out ${shownName(person)}`}
                onClick={() => toggle(person.username)}
              >
                <Avatar
                  name={person.display_name}
                  username={person.username}
                  kind={person.kind}
                  url={person.avatar_url}
                  size={22}
                />
                <span>{shownName(person)}</span>
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
          if (onKey(event)) return;
          // While a search is typed Enter never submits the form, even if nothing was found.
          if (event.key === 'Enter' && isSearching) event.preventDefault();
          if (event.key === 'Backspace' && typed === '' && last) toggle(last.username);
        }}
      />
      {hint === undefined ? null : (
        <p className={styles['hint']} role="status">
          {hint}
        </p>
      )}
      <div className={styles['list']}>
        <div id={listId} role="listbox" aria-multiselectable="true" aria-label={label}>
          {shown.map((group) => (
            <div key={group.title} role="group" aria-label={group.title}>
              <p className={styles['group']}>{group.title}</p>
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
                    onClick={isFree ? () => toggle(person.username) : undefined}
                  >
                    <PersonLine who={person} kindNote={obstacle || undefined}>
                      <span className={styles['tick']}>
                        <Check size={14} aria-hidden />
                      </span>
                    </PersonLine>
                  </div>
                );
              })}
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
              `No one found for “${typed.trim()}”. Try their full username.`
            )}
          </p>
        )}
      </div>
    </div>
  );
}

/** Groups accounts into people and agents. */
function byKind(all: readonly Person[]): { title: string; people: readonly Person[] }[] {
  const groups = [
    { title: 'People', people: all.filter(({ kind }) => kind === 'human') },
    { title: 'Agents', people: all.filter(({ kind }) => kind === 'agent') },
  ];
  return groups.filter(({ people }) => people.length > 0);
}
