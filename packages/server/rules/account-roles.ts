import { type AccountRole, isAtLeast } from '@parley/protocol';

/** Whether an administrator may change a person's account: owners everybody's, admins those of people below (ROLE-6). */
export const mayAdminister = (by: AccountRole, target: AccountRole): boolean =>
  by === 'owner' || (by === 'admin' && !isAtLeast(target, 'admin'));

/** Whether `by` may give a person with the role `target` the role `to` (ROLE-5). */
export const mayGiveRole = (by: AccountRole, target: AccountRole, to: AccountRole): boolean =>
  mayAdminister(by, target) && mayAdminister(by, to);

/** Who may invite people to the service (ENTER-3). */
export const mayInvite = (role: AccountRole, whoInvites: 'admins' | 'members'): boolean =>
  isAtLeast(role, whoInvites === 'admins' ? 'admin' : 'member');
