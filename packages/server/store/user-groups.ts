// Groups of people, which are mentioned by their name (USERGROUP-1 …).
import { statement } from './sql.ts';

export interface UserGroupRow {
  key: number;
  name: string;
  title: string;
}

export const countUserGroups = statement<{ count: number }>('SELECT count(*) AS count FROM user_groups');
export const userGroupByName = statement<UserGroupRow, [name: string]>(
  'SELECT key, name, title FROM user_groups WHERE name = $1',
);
export const insertUserGroup = statement<{ key: number }, [name: string, title: string, now: number]>(
  'INSERT INTO user_groups (name, title, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING RETURNING key',
);
export const retitleUserGroup = statement<never, [key: number, title: string]>(
  'UPDATE user_groups SET title = $2 WHERE key = $1',
);
export const deleteUserGroup = statement<never, [key: number]>('DELETE FROM user_groups WHERE key = $1');

export const peopleOfUserGroup = statement<{ username: string }, [group: number]>(
  `SELECT a.username FROM user_group_people g JOIN accounts a ON a.key = g.account_key
   WHERE g.group_key = $1 ORDER BY a.username`,
);
/** All groups with their people, a row for each; a group without people has one without a username. */
export const userGroupPeople = statement<{ name: string; title: string; username: string | null }>(
  `SELECT u.name, u.title, a.username FROM user_groups u LEFT JOIN user_group_people g ON g.group_key = u.key
   LEFT JOIN accounts a ON a.key = g.account_key ORDER BY u.name, a.username`,
);
/** The number of people in all groups but one; who is in several counts in each. */
export const countPeopleBeside = statement<{ count: number }, [group: number]>(
  'SELECT count(*) AS count FROM user_group_people WHERE group_key <> $1',
);
/** Puts the listed accounts into a group. */
export const insertUserGroupPeople = statement<{ account_key: number }, [group: number]>(
  `INSERT INTO user_group_people (group_key, account_key) SELECT $1, a.key FROM accounts a WHERE a.key IN (:list)
   ON CONFLICT (group_key, account_key) DO NOTHING RETURNING account_key`,
);
export const deleteUserGroupPeople = statement<never, [group: number]>(
  'DELETE FROM user_group_people WHERE group_key = $1',
);

/** Those of the names that are of groups of people. */
export const userGroupsNamed = statement<{ key: number; name: string }>(
  'SELECT key, name FROM user_groups WHERE name IN (:list)',
);
/** Those of the listed groups' people who take part in a conversation, by group. */
export const mentionableOf = statement<{ group_key: number; account_key: number }, [chat: number]>(
  `SELECT g.group_key, g.account_key FROM user_group_people g
   JOIN participants p ON p.chat_key = $1 AND p.account_key = g.account_key WHERE g.group_key IN (:list)`,
);
