import type { RunConfig } from '@parley/protocol';
import { boundedOverride, termsOf } from '../rules/owner-key-terms.ts';
import type { AgentFields } from '../rules/provider-fields.ts';
import { type Layer, layerOf, resolveValues, type Values } from '../rules/run-config.ts';
import { type KeyRing, secretBinding } from '../secrets/seal.ts';
import type { AccountRow } from '../store/accounts.ts';
import { overrideOf, ownerConfig } from '../store/bot-config.ts';
import { type SecretLayer, secretsOf } from '../store/secrets.ts';
import type { Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';

interface Ports {
  tx: Sql;
  keys: KeyRing;
  /** Reports a sealed value that cannot be opened, for the log; it counts as not set. */
  onFault: (error: Error) => void;
}

type Agent = Pick<AccountRow, 'key' | 'parent_key'>;

/**
 * The current values that an agent runs with for a human: for each field the human's own, otherwise the owner's,
 * otherwise the default (BOTCONF-10). Apart from resealing, secrets are opened only in this file.
 */
export async function runConfigOf(
  ports: Ports,
  agent: Agent,
  humanKey: number,
  fields: AgentFields,
): Promise<Omit<RunConfig, 'user'>> {
  const { tx } = ports;
  const own = storedValues(await tx.get(overrideOf, agent.key, humanKey));
  const shared = storedValues(await tx.get(ownerConfig, agent.key));
  return {
    config: resolveValues(fields.config, [own, shared].map(layerOf)),
    secrets: resolveValues(fields.secret, [
      await secretLayer(ports, 'override', agent.key, humanKey),
      await ownerSecrets(ports, agent),
    ]),
  };
}

/**
 * Returns the configuration of a turn that the server runs. It contains only the key that the service chose when it
 * claimed the turn. If the owner pays for another human, the owner's terms limit that human's overrides (KEY-10, KEY-11).
 */
export async function turnConfigOf(
  ports: Ports,
  agent: Agent,
  turn: Pick<TurnRow, 'human_key' | 'payer'>,
  fields: AgentFields,
): Promise<Omit<RunConfig, 'user'>> {
  const { tx } = ports;
  if (turn.human_key === agent.parent_key) return runConfigOf(ports, agent, turn.human_key, fields);
  const own = storedValues(await tx.get(overrideOf, agent.key, turn.human_key));
  const row = await tx.get(ownerConfig, agent.key);
  const shared = storedValues(row);
  const ownerLimit = resolveValues(fields.config, [layerOf(shared)])['max_output_tokens'];
  const counted = turn.payer === 'asker' ? own : boundedOverride(own, termsOf(row), ownerLimit);
  const keys =
    turn.payer === 'asker'
      ? await secretLayer(ports, 'override', agent.key, turn.human_key)
      : await ownerSecrets(ports, agent);
  return {
    config: resolveValues(fields.config, [counted, shared].map(layerOf)),
    secrets: resolveValues(fields.secret, turn.payer === null ? [] : [keys]),
  };
}

const ownerSecrets = (ports: Ports, { key, parent_key }: Agent): Promise<Layer> | Layer =>
  parent_key === null ? () => undefined : secretLayer(ports, 'owner', key, parent_key);

/** The values of a settings row; empty without a row. */
export const storedValues = (row: { config: string } | undefined): Values => (row ? JSON.parse(row.config) : {});

/** The secrets that an account has set for an agent, each opened only when it is read. */
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
