import { everything } from '../../commits/unit-locks.ts';
import { requireUserGroup, setPeople, userGroupRecord } from '../../people/user-groups.ts';
import { retitleUserGroup } from '../../store/user-groups.ts';
import { unit } from '../handler.ts';

export default unit(
  'updateUserGroup',
  { locks: everything, audit: ({ name: target, usernames }) => ({ target, details: { usernames } }) },
  async (call, { name, title, usernames }) => {
    const { tx } = call;
    const group = await requireUserGroup(tx, name);
    if (title !== undefined) await tx.run(retitleUserGroup, group.key, title);
    if (usernames !== undefined) await setPeople(call, group.key, usernames);
    return userGroupRecord(tx, await requireUserGroup(tx, name));
  },
);
