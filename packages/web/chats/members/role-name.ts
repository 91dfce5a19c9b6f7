import type { Chat } from '@parley/client/store';
import type { Role } from '@parley/protocol';
import { roleOf } from '../chat/roles.ts';
import { t } from '../../words/t.ts';

export const roleNames: Readonly<Record<Exclude<Role, 'member'>, string>> = { owner: t('owner'), admin: t('admin') };

/** The role of an account in a group, in words; nothing for members. */
export function roleName(chat: Chat, username: string): string | null {
  const role = roleOf(chat, username);
  return role === 'member' ? null : roleNames[role];
}
