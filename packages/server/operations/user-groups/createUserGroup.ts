// Groups of people, which are mentioned by their name. Only admins of the service change them.
import { limits } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { requireUserGroup, setPeople, userGroupRecord } from '../../people/user-groups.ts';
import { isReservedName } from '../../rules/reserved-names.ts';
import { isKeptName } from '../../rules/names-for-all.ts';
import { everByName } from '../../store/accounts.ts';
import { countUserGroups, insertUserGroup } from '../../store/user-groups.ts';
import { unit } from '../handler.ts';

// Locks everything: the groups are counted, and no account of the name may be made at the same time (USERGROUP-3).
export default unit(
  'createUserGroup',
  { locks: everything, audit: ({ name: target, usernames }) => ({ target, details: { usernames } }) },
  async (call, { name, title, usernames }) => {
    const { tx, now } = call;
    if (isReservedName(name) || isKeptName(name)) throw conflict('this name is reserved');
    if (await tx.get(everByName, name)) throw conflict('this name is that of an account');
    if (((await tx.get(countUserGroups))?.count ?? 0) >= limits.userGroups)
      throw invalid('name', `would be group ${limits.userGroups + 1}; delete some first`);
    const made = await tx.get(insertUserGroup, name, title, now);
    if (!made) throw conflict('a group of people has this name');
    await setPeople(call, made.key, usernames);
    return userGroupRecord(tx, await requireUserGroup(tx, name));
  },
);
