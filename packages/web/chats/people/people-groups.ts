import type { Person } from './use-known-people.ts';
import { t } from '../../words/t.ts';

export interface PeopleGroup {
  readonly title: string;
  readonly people: readonly Person[];
}

/** Groups accounts into people and agents; empty groups are left out. */
export function peopleGroups(all: readonly Person[]): readonly PeopleGroup[] {
  const groups = [
    { title: t('People'), people: all.filter(({ kind }) => kind === 'human') },
    { title: t('Agents'), people: all.filter(({ kind }) => kind === 'agent') },
  ];
  return groups.filter(({ people }) => people.length > 0);
}
