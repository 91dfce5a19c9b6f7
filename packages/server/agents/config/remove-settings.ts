import { removeOverridesOfAgent, removeOwnerConfig } from '../../store/bot-config.ts';
import { dropNotesOfAgent } from '../../store/notes.ts';
import { secretsOf } from '../../store/secrets.ts';
import type { Sql } from '../../store/sql.ts';
import { dropGrantsOfAgent } from '../../store/tool-calls.ts';
import {
  dropToolCredentialsOf,
  dropToolDefinitionsOf,
  dropToolLoginsOf,
  dropToolServersOf,
} from '../../store/tool-servers.ts';

/** Deletes the settings, secrets, notes and tool servers that all accounts have for a deleted agent. */
export async function removeSettings(tx: Sql, agentKey: number): Promise<void> {
  await tx.run(removeOwnerConfig, agentKey);
  await tx.run(removeOverridesOfAgent, agentKey);
  await tx.run(secretsOf.owner.removeOfAgent, agentKey);
  await tx.run(secretsOf.override.removeOfAgent, agentKey);
  await tx.run(dropGrantsOfAgent, agentKey);
  await tx.run(dropNotesOfAgent, agentKey);
  await tx.run(dropToolLoginsOf, agentKey);
  await tx.run(dropToolCredentialsOf, agentKey);
  await tx.run(dropToolDefinitionsOf, agentKey);
  await tx.run(dropToolServersOf, agentKey);
}
