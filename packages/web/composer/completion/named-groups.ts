import type { UserGroup } from '@parley/protocol';
import { folded } from '@parley/protocol/folded';
import { t } from '../../words/t.ts';

/** What a name mentions that is no participant's: people of a group, or everyone. */
export interface NamedGroup {
  readonly name: string;
  readonly title: string;
}

const forAll: readonly NamedGroup[] = [
  { name: 'all', title: t('Everyone in this group') },
  { name: 'here', title: t('Everyone who is online') },
];

interface Offered {
  groups: readonly UserGroup[];
  /** The usernames of the participants that are loaded. */
  people: ReadonlySet<string>;
  mayMentionAll: boolean;
}

/** The groups with people in the conversation, and `@all` and `@here`, whose names or titles begin with the query. */
export function matchingGroups(query: string, { groups, people, mayMentionAll }: Offered): readonly NamedGroup[] {
  const wanted = folded(query);
  const here = groups.filter(({ usernames }) => usernames.some((username) => people.has(username)));
  return [...(mayMentionAll ? forAll : []), ...here].filter(
    ({ name, title }) =>
      !people.has(name) &&
      [name, ...folded(title).split(/\s+/)].some((word) => wanted !== '' && word.startsWith(wanted)),
  );
}
