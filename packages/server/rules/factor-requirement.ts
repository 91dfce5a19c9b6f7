import { type AccountRole, isAtLeast, type ServiceSettings } from '@parley/protocol';

/** Whether somebody with this role who signs in with a password must have a second factor (FACTOR-6). */
export const isFactorRequired = (required: ServiceSettings['second_factor'], role: AccountRole): boolean =>
  required === 'everyone' || (required === 'admins' && isAtLeast(role, 'admin'));
