import type { Input, ServiceSettings } from '@parley/protocol';
import { putSetting, setting } from '../store/account-roles.ts';
import type { Sql } from '../store/sql.ts';

/** What is set for the whole service (ENTER-3). */
export async function serviceSettings(tx: Sql): Promise<ServiceSettings> {
  const whoInvites = (await tx.get(setting, 'who_invites'))?.value;
  return { who_invites: whoInvites === 'admins' ? 'admins' : 'members' };
}

export async function storeServiceSettings(tx: Sql, { who_invites }: Input<'setServiceSettings'>): Promise<void> {
  if (who_invites !== undefined) await tx.run(putSetting, 'who_invites', who_invites);
}
