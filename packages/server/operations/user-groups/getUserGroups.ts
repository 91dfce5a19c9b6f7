import type { UserGroup } from '@parley/protocol';
import { userGroupPeople } from '../../store/user-groups.ts';
import { read } from '../handler.ts';

/** The composer offers their names (USERGROUP-4). */
export default read('getUserGroups', async ({ tx }) => {
  const groups = new Map<string, UserGroup>();
  for (const { name, title, username } of await tx.all(userGroupPeople)) {
    const group = groups.get(name) ?? { name, title, usernames: [] };
    if (username !== null) group.usernames.push(username);
    groups.set(name, group);
  }
  return { items: [...groups.values()] };
});
