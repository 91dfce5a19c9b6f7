import { type KeyboardEvent, useState } from 'react';
import { type ActiveOption, useActiveOption } from '../../ui/use-active-option.ts';
import { type PeopleGroup, peopleGroups } from './people-groups.ts';
import type { Person } from './use-known-people.ts';
import { type People, usePeopleSearch } from './use-people-search.ts';

export interface PickingInput {
  picked: readonly Person[];
  onChange: (picked: readonly Person[]) => void;
  /** Accounts listed before anything is typed. */
  known: readonly Person[];
  /** Filters the listed accounts. */
  isOffered: (person: Person) => boolean;
  /** Why a listed account cannot be picked now; null if it can, '' if `hint` gives the reason. */
  whyNot?: (person: Person) => string | null;
}

interface Picking {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  readonly people: People;
  readonly groups: readonly PeopleGroup[];
  readonly isPicked: (username: string) => boolean;
  readonly obstacleOf: (person: Person) => string | null;
  /** Picks an account of the list, or unpicks it if it is already picked. */
  readonly toggle: (username: string) => void;
  readonly active: ActiveOption;
  readonly onKey: (event: KeyboardEvent) => void;
}

const noObstacle = (): null => null;

/** The state of a person picker: the search, its results, and the keys that pick from them. */
export function usePicking({ picked, onChange, known, isOffered, whyNot = noObstacle }: PickingInput): Picking {
  const [typed, setTyped] = useState('');
  const people = usePeopleSearch(typed, { toChat: true });
  const isSearching = typed.trim() !== '';
  const groups = peopleGroups((isSearching ? (people.value ?? []) : known).filter(isOffered));
  const options = groups.flatMap((group) => group.people);
  const isPicked = (username: string): boolean => picked.some((person) => person.username === username);
  const obstacleOf = (person: Person): string | null => (isPicked(person.username) ? null : whyNot(person));
  const toggle = (username: string): void => {
    const person = options.find((option) => option.username === username);
    if (isPicked(username)) onChange(picked.filter((one) => one.username !== username));
    else if (person) onChange([...picked, person]);
    setTyped('');
  };
  const active = useActiveOption(
    options.filter((person) => obstacleOf(person) === null).map(({ username }) => username),
    toggle,
    // After a pick Enter submits the form, until the user types or presses an arrow key.
    isSearching || picked.length === 0,
  );
  const onKey = (event: KeyboardEvent): void => {
    const last = picked.at(-1);
    if (active.onKey(event)) return;
    // While a search is typed Enter never submits the form, even if nothing was found.
    if (event.key === 'Enter' && isSearching) event.preventDefault();
    if (event.key === 'Backspace' && typed === '' && last) toggle(last.username);
  };
  return { typed, setTyped, people, groups, isPicked, obstacleOf, toggle, active, onKey };
}
