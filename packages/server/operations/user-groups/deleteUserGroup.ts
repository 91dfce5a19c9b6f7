import { everything } from '../../commits/unit-locks.ts';
import { requireUserGroup } from '../../people/user-groups.ts';
import { deleteUserGroup, deleteUserGroupPeople } from '../../store/user-groups.ts';
import { unit } from '../handler.ts';

export default unit(
  'deleteUserGroup',
  { locks: everything, addsData: false, audit: ({ name: target }) => ({ target }) },
  async ({ tx }, { name }) => {
    const { key } = await requireUserGroup(tx, name);
    await tx.run(deleteUserGroupPeople, key);
    await tx.run(deleteUserGroup, key);
    return undefined;
  },
);
