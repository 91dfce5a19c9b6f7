import { builtInTool, type Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid } from '../../core/errors.ts';
import { isBlank, problemOf } from '../../rules/field-values.ts';
import type { AgentFields } from '../../rules/provider-fields.ts';
import type { Values } from '../../rules/run-config.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { ownerConfig, putBuiltInTools, putModelServer, putOwnerConfig, putTitles } from '../../store/bot-config.ts';
import { secretsOf } from '../../store/secrets.ts';
import { putGroupTokens } from '../../store/usage.ts';
import { fieldsOf } from '../agent-fields.ts';
import { storedValues } from '../load-run-config.ts';
import { originOf } from '../model-server.ts';
import { setVisibility } from './agent-visibility.ts';
import { storeKeyTerms } from './key-terms.ts';

type Change = Omit<
  Input<'updateAgent'>,
  'username' | 'display_name' | 'description' | 'avatar_file_id' | 'base_url'
> & {
  /** As `cleanBaseUrl` returned it. */
  baseUrl: string | null | undefined;
};

const VALUES = ['model', 'system_prompt', 'temperature', 'max_output_tokens', 'thinking', 'web_search'] as const;

/**
 * Checks and stores what was given of an agent's settings (CUSTOM-2, CUSTOM-3). `providers`: the operator's models.
 * A server of another origin gets none of the keys that were set for the former one (CUSTOM-9).
 */
export async function storeAgent(
  call: UnitCall,
  agent: AccountRow,
  change: Change,
  providers: Parameters<typeof fieldsOf>[2]['providers'],
): Promise<void> {
  const { tx } = call;
  const stored = await tx.get(ownerConfig, agent.key);
  const formerUrl = stored?.base_url ?? null;
  const baseUrl = change.baseUrl === undefined ? formerUrl : change.baseUrl;
  const { config: fields } = await fieldsOf(tx, agent, { providers });
  const former = storedValues(stored);
  const values = changedValues(fields, former, change);
  const isModelGiven = change.model !== undefined || change.baseUrl !== undefined;
  if (isModelGiven && baseUrl !== null && values['model'] === undefined)
    throw invalid('model', 'is required with a base_url');

  const config = JSON.stringify(values);
  if (config !== JSON.stringify(former)) await tx.run(putOwnerConfig, agent.key, config, stored?.published ?? '[]');
  if (change.baseUrl !== undefined || change.context !== undefined) {
    const context = change.context === undefined ? (stored?.context ?? null) : contextText(change.context);
    await tx.run(putModelServer, agent.key, baseUrl, context);
  }
  if (originOf(baseUrl) !== originOf(formerUrl)) {
    await tx.run(secretsOf.owner.removeOfAgent, agent.key);
    await tx.run(secretsOf.override.removeOfAgent, agent.key);
  }
  if (change.group_monthly_tokens !== undefined) await tx.run(putGroupTokens, agent.key, change.group_monthly_tokens);
  await storeKeyTerms(tx, agent.key, change, stored);
  if (change.titles !== undefined) await tx.run(putTitles, agent.key, Number(change.titles));
  if (change.built_in_tools !== undefined) await tx.run(putBuiltInTools, agent.key, toolsText(change.built_in_tools));
  if (change.visibility !== undefined) await setVisibility(tx, agent.key, change.visibility);
}

/** The owner's values after a change; null and blank texts remove values. */
function changedValues(fields: AgentFields['config'], former: Values, change: Change): Values {
  const values: Record<string, string> = { ...former };
  for (const key of VALUES) {
    const given = change[key];
    if (given === undefined) continue;
    // A switch is off by default, and agents whose models have no search have none.
    const text = given === null || given === false ? '' : String(given);
    delete values[key];
    if (isBlank(text)) continue;
    const field = fields.find((candidate) => candidate.key === key);
    const problem = field ? problemOf(field, text) : 'is not in the schema';
    if (problem !== undefined) throw invalid(key, problem);
    values[key] = text;
  }
  return values;
}

/** Each once, in the order in which they are offered. */
function toolsText(given: NonNullable<Change['built_in_tools']>): string | null {
  const names = builtInTool.options.filter((name) => given.includes(name));
  return names.length === 0 ? null : JSON.stringify(names);
}

/** Without fields that have no value: their defaults may change. */
function contextText(context: NonNullable<Change['context']> | null): string | null {
  const given = Object.entries(context ?? {}).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}
