import type { Input, ServiceSettings } from '@parley/protocol';
import { putSetting, setting } from '../store/account-roles.ts';
import type { Sql } from '../store/sql.ts';

/** What is set for the whole service (ENTER-3, FACTOR-6). */
export async function serviceSettings(tx: Sql): Promise<ServiceSettings> {
  const whoInvites = (await tx.get(setting, 'who_invites'))?.value;
  return {
    who_invites: whoInvites === 'admins' ? 'admins' : 'members',
    second_factor: requirementOf((await tx.get(setting, 'second_factor'))?.value),
  };
}

/** Of whom a second factor is required; `stored` is the setting as it is stored, if it is. */
export const requirementOf = (stored: string | null | undefined): ServiceSettings['second_factor'] =>
  stored === 'admins' || stored === 'everyone' ? stored : 'optional';

export async function storeServiceSettings(tx: Sql, changes: Input<'setServiceSettings'>): Promise<void> {
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) await tx.run(putSetting, name, value);
}
