import { FieldSpec, type Provider, provider as providers } from '@parley/protocol';
import { secretField } from '../rules/field-values.ts';
import { type AgentFields, fieldsOfOwnServer, noFields, providerFields } from '../rules/provider-fields.ts';
import type { AccountRow } from '../store/accounts.ts';
import { botSchema, ownerConfig } from '../store/bot-config.ts';
import type { Sql } from '../store/sql.ts';

/**
 * The fields that can be set for an agent: the fixed ones of a provider, or those that its bot declared (BOTCONF-2).
 */
export async function fieldsOf(
  tx: Sql,
  agent: Pick<AccountRow, 'key' | 'agent_provider'>,
  config: { readonly providers: Readonly<Record<Provider, { readonly model: string; readonly baseUrl: string }>> },
): Promise<AgentFields> {
  const provider = providers.safeParse(agent.agent_provider);
  if (provider.success) {
    const fields = providerFields(provider.data, config.providers[provider.data]);
    const row = await tx.get(ownerConfig, agent.key);
    return (row?.base_url ?? null) === null ? fields : fieldsOfOwnServer(fields);
  }
  const bot = await tx.get(botSchema, agent.key);
  if (!bot) return noFields;
  // Databases of older versions may hold default values of secrets: these are dropped, so no reader gets one.
  const secret = specs(bot.secret_schema).map(secretField);
  return { template: bot.template, config: specs(bot.config_schema), secret };
}

const specs = (json: string): FieldSpec[] => FieldSpec.array().parse(JSON.parse(json));
