import { removeOverridesOfAgent, removeOwnerConfig } from '../../store/bot-config.ts';
import { secretsOf } from '../../store/secrets.ts';
import type { Sql } from '../../store/sql.ts';
import { dropGrantsOfAgent } from '../../store/tool-calls.ts';

/** Deletes the settings and secrets that all accounts have for a deleted agent. */
export async function removeSettings(tx: Sql, agentKey: number): Promise<void> {
  await tx.run(removeOwnerConfig, agentKey);
  await tx.run(removeOverridesOfAgent, agentKey);
  await tx.run(secretsOf.owner.removeOfAgent, agentKey);
  await tx.run(secretsOf.override.removeOfAgent, agentKey);
  await tx.run(dropGrantsOfAgent, agentKey);
}
