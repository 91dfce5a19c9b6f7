import type { AgentContext, BuiltInTool, RunConfig } from '@parley/protocol';
import type { OwnTool } from '@parley/protocol/built-in-tools';
import { contextOf } from '../rules/conversation-context.ts';
import { boundedOverride, termsOf } from '../rules/owner-key-terms.ts';
import { type AgentFields, fieldsOfOwnServer } from '../rules/provider-fields.ts';
import { type Layer, layerOf, resolveValues, type Values } from '../rules/run-config.ts';
import { type KeyRing, secretBinding } from '../secrets/seal.ts';
import type { AccountRow } from '../store/accounts.ts';
import { overrideOf, ownerConfig } from '../store/bot-config.ts';
import { type SecretLayer, secretsOf } from '../store/secrets.ts';
import { hasLibrary } from '../store/sources.ts';
import type { Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import { keyHolders, originOf } from './model-server.ts';

interface RunConfigNeeds {
  tx: Sql;
  keys: KeyRing;
  /** Reports a sealed value that cannot be opened, for the log; it counts as not set. */
  onFault: (error: Error) => void;
}

/**
 * The current values that a bot runs with for a human: for each field the human's own, otherwise the owner's, otherwise
 * the default (BOTCONF-10). Apart from resealing, secrets are opened only in this file.
 */
export async function runConfigOf(
  needs: RunConfigNeeds,
  bot: AccountRow,
  humanKey: number,
  fields: AgentFields,
): Promise<Omit<RunConfig, 'user'>> {
  const { tx } = needs;
  const own = storedValues(await tx.get(overrideOf, bot.key, humanKey));
  const shared = storedValues(await tx.get(ownerConfig, bot.key));
  return {
    config: resolveValues(fields.config, [own, shared].map(layerOf)),
    secrets: resolveValues(fields.secret, [
      await secretLayer(needs, { layer: 'override', agentKey: bot.key, accountKey: humanKey, origin: null }),
      ...(await ownerSecrets(needs, bot, null)),
    ]),
  };
}

/** What a turn that the service runs is run with. */
interface TurnConfig {
  config: Values;
  /** Undefined if no key may be used; empty if the agent's own server is asked without a key (CUSTOM-10). */
  apiKey: string | undefined;
  /** The server of the agent's own; null for the provider's. */
  baseUrl: string | null;
  context: AgentContext;
  /** The agent has servers of tools, or tools of the service's own. */
  hasTools: boolean;
  /** The model is sent the notes of the place. */
  remembers: boolean;
}

/**
 * The configuration of a turn, with the key that the service chose when it claimed the turn. If the owner pays for
 * another human, the owner's terms limit that human's overrides (KEY-10, KEY-11). `given`: the fields on the provider's
 * server.
 */
export async function turnConfigOf(
  needs: RunConfigNeeds,
  agent: AccountRow,
  turn: Pick<TurnRow, 'human_key' | 'payer'>,
  given: AgentFields,
): Promise<TurnConfig> {
  const { tx } = needs;
  const { human_key: humanKey, payer } = turn;
  const row = await tx.get(ownerConfig, agent.key);
  const baseUrl = row?.base_url ?? null;
  const origin = originOf(baseUrl);
  const fields = baseUrl === null ? given : fieldsOfOwnServer(given);
  const own = storedValues(await tx.get(overrideOf, agent.key, humanKey));
  const shared = storedValues(row);
  const isOwner = humanKey === agent.parent_key;
  const owners = resolveValues(fields.config, [layerOf(shared)]);
  const counted = isOwner || payer === 'asker' ? own : boundedOverride(own, termsOf(row), owners);
  const secrets: Layer[] = [];
  if (isOwner || payer === 'asker')
    secrets.push(await secretLayer(needs, { layer: 'override', agentKey: agent.key, accountKey: humanKey, origin }));
  if (payer === 'owner') secrets.push(...(await ownerSecrets(needs, agent, baseUrl)));
  const { api_key: apiKey } = resolveValues(fields.secret, secrets);
  return {
    config: resolveValues(fields.config, [counted, shared].map(layerOf)),
    apiKey: apiKey ?? (baseUrl !== null && payer === 'owner' ? '' : undefined),
    baseUrl,
    context: contextOf(storedContext(row)),
    hasTools: row?.has_tools === 1 || (await ownToolsOf(tx, agent.key)).length > 0,
    remembers: remembers(row),
  };
}

/**
 * The key with which a person may ask for the models of an agent's server: their own or, for the owner, the one that
 * replies would use; empty if the owner asks a server of the agent's own without a key; undefined if there is none.
 */
export async function keyForModels(
  needs: RunConfigNeeds,
  agent: AccountRow,
  humanKey: number,
): Promise<Pick<TurnConfig, 'apiKey' | 'baseUrl'>> {
  const baseUrl = (await needs.tx.get(ownerConfig, agent.key))?.base_url ?? null;
  const isOwner = humanKey === agent.parent_key;
  const place = { layer: 'override', agentKey: agent.key, accountKey: humanKey, origin: originOf(baseUrl) } as const;
  const layers = [await secretLayer(needs, place), ...(isOwner ? await ownerSecrets(needs, agent, baseUrl) : [])];
  const apiKey = layers.map((layer) => layer('api_key')).find((key) => key !== undefined);
  return { apiKey: apiKey ?? (isOwner && baseUrl !== null ? '' : undefined), baseUrl };
}

/** What the owner has set of an agent's context. */
export const storedContext = (row: { context: string | null } | undefined): Partial<AgentContext> =>
  row?.context ? JSON.parse(row.context) : {};

/** The service's own tools that the owner lets an agent use (OWN-1). */
export const builtInTools = (row: { built_in_tools: string | null } | undefined): readonly BuiltInTool[] =>
  row?.built_in_tools ? JSON.parse(row.built_in_tools) : [];

/** The service's own tools that an agent may use now: those, and with a library the one that searches it (KNOW-7). */
export async function ownToolsOf(tx: Sql, agentKey: number): Promise<OwnTool[]> {
  const chosen = builtInTools(await tx.get(ownerConfig, agentKey));
  return (await tx.get(hasLibrary, agentKey)) ? [...chosen, 'search_library'] : [...chosen];
}

/** Whether an agent is sent what it is to remember, and people may tell it (NOTE-4). */
export const remembers = (row: { built_in_tools: string | null } | undefined): boolean =>
  builtInTools(row).includes('remember');

/** The owner's secrets for an agent: those that are found first count. */
async function ownerSecrets(needs: RunConfigNeeds, agent: AccountRow, baseUrl: string | null): Promise<Layer[]> {
  const { parent_key: accountKey } = agent;
  if (accountKey === null) return [];
  const layers: Layer[] = [];
  for (const agentKey of await keyHolders(needs.tx, agent, baseUrl))
    layers.push(await secretLayer(needs, { layer: 'owner', agentKey, accountKey, origin: originOf(baseUrl) }));
  return layers;
}

/** The values of a settings row; empty without a row. */
export const storedValues = (row: { config: string } | undefined): Values => (row ? JSON.parse(row.config) : {});

interface SecretPlace {
  layer: SecretLayer;
  agentKey: number;
  accountKey: number;
  /** Secrets for another origin do not exist here (CUSTOM-9). */
  origin: string | null;
}

/** The secrets that an account has set for an agent, each opened only when it is read. */
async function secretLayer({ tx, keys, onFault }: RunConfigNeeds, place: SecretPlace): Promise<Layer> {
  const { layer, agentKey, accountKey, origin } = place;
  const rows = await tx.all(secretsOf[layer].of, agentKey, accountKey);
  return (field) => {
    const row = rows.find((candidate) => candidate.field === field && candidate.origin === origin);
    if (!row) return undefined;
    const binding = secretBinding(agentKey, accountKey, field, layer, origin);
    try {
      return keys.open(row.sealed, binding);
    } catch (cause) {
      onFault(new Error(`the sealed ${layer} value ${binding} does not open`, { cause }));
      return undefined;
    }
  };
}
