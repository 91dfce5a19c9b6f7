import type { RunConfig } from '@parley/protocol';
import type { AgentFields } from '../rules/provider-fields.ts';
import { type Layer, layerOf, resolveValues, type Values } from '../rules/run-config.ts';
import { type KeyRing, secretBinding } from '../secrets/seal.ts';
import type { AccountRow } from '../store/accounts.ts';
import { overrideOf, ownerConfig } from '../store/bot-config.ts';
import { type SecretLayer, secretsOf } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';

interface Ports {
  tx: Sql;
  keys: KeyRing;
  /** A sealed value that does not open, for the log; it counts as none. */
  onFault: (error: Error) => void;
}

/**
 * The values that an agent runs with for a human, as they are now: the human's own, else the owner's, else the
 * defaults (BOTCONF-10). The one place but resealing where secrets are opened.
 */
export async function runConfigOf(
  ports: Ports,
  agent: Pick<AccountRow, 'key' | 'parent_key'>,
  humanKey: number,
  fields: AgentFields,
): Promise<Omit<RunConfig, 'user'>> {
  const { tx } = ports;
  const own = await tx.get(overrideOf, agent.key, humanKey);
  const shared = await tx.get(ownerConfig, agent.key);
  const ownSecrets = await secretLayer(ports, 'override', agent.key, humanKey);
  const sharedSecrets =
    agent.parent_key === null ? [] : [await secretLayer(ports, 'owner', agent.key, agent.parent_key)];
  return {
    config: resolveValues(
      fields.config,
      [own, shared].map((row) => layerOf(storedValues(row))),
    ),
    secrets: resolveValues(fields.secret, [ownSecrets, ...sharedSecrets]),
  };
}

/** What a row of settings holds; nothing where there is none. */
export const storedValues = (row: { config: string } | undefined): Values => (row ? JSON.parse(row.config) : {});

/** The secrets that an account has for an agent, each opened when it is asked for. */
async function secretLayer(
  { tx, keys, onFault }: Ports,
  layer: SecretLayer,
  agentKey: number,
  accountKey: number,
): Promise<Layer> {
  const rows = await tx.all(secretsOf[layer].of, agentKey, accountKey);
  return (field) => {
    const row = rows.find((candidate) => candidate.field === field);
    if (!row) return undefined;
    const binding = secretBinding(agentKey, accountKey, field, layer);
    try {
      return keys.open(row.sealed, binding);
    } catch (cause) {
      onFault(new Error(`the sealed ${layer} value ${binding} does not open`, { cause }));
      return undefined;
    }
  };
}
