import { z } from 'zod';
import { name, optional, userGroupName, username } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { UserGroup } from '../resources.ts';

const groupName = () => userGroupName().describe('what mentions the group, after an `@`');
const title = () => name(limits.titleBytes).describe('the name that people see');
const usernames = () => z.array(username()).max(limits.userGroupPeople).describe('the people in the group');

export const userGroupOperations = {
  createUserGroup: operation({
    since: 14,
    summary:
      'Creates a group of people, which `@name` mentions: those of them who take part where it is written. Admins of the service only.',
    policy: { scope: null, rate: 'writes', role: 'admin' },
    input: z.object({ name: groupName(), title: title(), usernames: usernames() }),
    result: UserGroup,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  updateUserGroup: operation({
    since: 14,
    summary: 'Sets the title or the people of a group of people; absent fields stay. Admins of the service only.',
    policy: { scope: null, rate: 'writes', role: 'admin' },
    input: z.object({ name: groupName(), title: optional(title()), usernames: optional(usernames()) }),
    result: UserGroup,
    errors: ['not_found', 'forbidden'],
  }),
  deleteUserGroup: operation({
    since: 14,
    summary: 'Deletes a group of people; its people stay where they are. Admins of the service only.',
    policy: { scope: null, rate: 'writes', role: 'admin' },
    input: z.object({ name: groupName() }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  getUserGroups: operation({
    since: 14,
    summary: 'All groups of people, by name.',
    policy: { scope: null, rate: 'none' },
    input: z.object({}),
    result: z.object({ items: z.array(UserGroup) }),
    errors: ['forbidden'],
  }),
} as const;
