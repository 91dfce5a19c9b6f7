import { limits, type UserGroup } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid, notFound } from '../core/errors.ts';
import { type AccountRow, accountsByNames, isService } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import {
  deleteUserGroupPeople,
  countPeopleBeside,
  insertUserGroupPeople,
  peopleOfUserGroup,
  userGroupByName,
  type UserGroupRow,
} from '../store/user-groups.ts';

export const userGroupRecord = async (tx: Sql, { key, name, title }: UserGroupRow): Promise<UserGroup> => ({
  name,
  title,
  usernames: (await tx.all(peopleOfUserGroup, key)).map(({ username }) => username),
});

/** The service's own account, and one that waits for approval, are like unknown ones. */
const isOfPerson = (row: AccountRow): boolean => row.kind === 'human' && row.pending === 0 && !isService(row);

export async function requireUserGroup(tx: Sql, name: string): Promise<UserGroupRow> {
  const group = await tx.get(userGroupByName, name);
  if (!group) throw notFound('group of people');
  return group;
}

/**
 * Replaces the people of a group; 404 for one that is no person's who may take part, also for an agent, which may be
 * private; 400 for too many (USERGROUP-2).
 */
export async function setPeople(
  { tx }: Pick<UnitCall, 'tx'>,
  key: number,
  usernames: readonly string[],
): Promise<void> {
  const names = [...new Set(usernames)];
  const accounts = (await tx.list(accountsByNames, names)).filter(isOfPerson);
  if (accounts.length < names.length) throw notFound('account');
  const others = (await tx.get(countPeopleBeside, key))?.count ?? 0;
  if (others + names.length > limits.userGroupPeopleInAll)
    throw invalid(
      'usernames',
      `all groups of people together would have more than ${limits.userGroupPeopleInAll} people`,
    );
  await tx.run(deleteUserGroupPeople, key);
  const keys = accounts.map((account) => account.key);
  if (keys.length > 0) await tx.list(insertUserGroupPeople, keys, key);
}
