// Accounts of people, as those who run the service see and change them. May import: admin's own files.
import type { AccountRole } from '@parley/protocol';
import { accountRoles, isAtLeast } from '@parley/protocol/account-roles';
import { t } from '../../words/t.ts';

export const roleTitles: Readonly<Record<AccountRole, string>> = {
  guest: t('Guest'),
  member: t('Member'),
  moderator: t('Moderator'),
  admin: t('Admin'),
  owner: t('Owner'),
};

export const roleOptions = accountRoles.map((value) => ({ value, label: roleTitles[value] }));

/** Whether a role administers accounts of another one: admins of those below them, owners everybody (ROLE-6). */
export const administers = (role: AccountRole, other: AccountRole): boolean =>
  role === 'owner' || (role === 'admin' && !isAtLeast(other, 'admin'));

/** The roles that somebody may give: owners each, admins those below them (ROLE-5). */
export const rolesToGive = (role: AccountRole): readonly AccountRole[] =>
  role === 'owner' ? accountRoles : accountRoles.filter((one) => !isAtLeast(one, 'admin'));
