import type { Visibility } from '@parley/protocol';
import { type AccountRow, storeVisibility, visibilityOf } from '../../store/accounts.ts';
import type { Sql } from '../../store/sql.ts';

/** Sets who may start a direct chat with an agent (CUSTOM-6). */
export const setVisibility = (tx: Sql, agentKey: number, visibility: Visibility) =>
  tx.run(storeVisibility, agentKey, Number(visibility === 'public'), Number(visibility === 'private'));

/** `is_public` of setBotConfig: false leaves a private agent private (BOTCONF-18). */
export async function storePublic(tx: Sql, agent: AccountRow, isPublic: boolean): Promise<void> {
  const now = visibilityOf(agent);
  if (isPublic) await setVisibility(tx, agent.key, 'public');
  else if (now === 'public') await setVisibility(tx, agent.key, 'groups');
}
