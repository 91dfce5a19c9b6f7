import type { FieldSpec, MyBotConfig } from '@parley/protocol';
import type { Call } from '../../access/call.ts';
import { storedValues } from '../load-run-config.ts';
import { serverOf } from '../model-server.ts';
import type { Field } from '../../rules/field-values.ts';
import { termsOf } from '../../rules/owner-key-terms.ts';
import type { AgentFields } from '../../rules/provider-fields.ts';
import { ofFields } from '../../rules/run-config.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { handlesActions, overrideOf, ownerConfig } from '../../store/bot-config.ts';
import { type SecretLayer, secretsOf } from '../../store/secrets.ts';
import type { Sql } from '../../store/sql.ts';

/**
 * An agent's settings for the caller. A secret appears only as set or not; its tail only to the account that set it
 * (BOTCONF-7).
 */
export async function configView(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  agent: AccountRow,
  fields: AgentFields,
): Promise<MyBotConfig> {
  const isOwner = agent.parent_key === caller.key;
  const shared = await tx.get(ownerConfig, agent.key);
  const ownerValues = ofFields(fields.config, storedValues(shared));
  const published = publishedOf(shared);
  const isShown = ({ key }: Field) => isOwner || published.includes(key);
  const own = await tx.get(overrideOf, agent.key, caller.key);
  const bot = isOwner ? await tx.get(handlesActions, agent.key) : undefined;
  const terms = termsOf(shared);
  const server = serverOf(shared?.base_url ?? null);
  const ownSecrets = await secrets(tx, 'override', agent.key, caller.key, fields);
  const ownerSecrets = agent.parent_key === null ? [] : await secrets(tx, 'owner', agent.key, agent.parent_key, fields);
  return {
    bot: accountRecord(agent),
    template: fields.template,
    ...(server !== undefined && { server }),
    config_schema: fields.config.map(specOf),
    secret_schema: fields.secret.map(specOf),
    owner_config: ofFields(fields.config.filter(isShown), ownerValues),
    owner_set_keys: Object.keys(ownerValues),
    my_config: ofFields(fields.config, storedValues(own)),
    my_secrets: ownSecrets,
    owner_secret_fields: ownerSecrets.map(({ field }) => field),
    ...(bot && { handles_actions: bot.handles_actions === 1 }),
    ...(isOwner && {
      show_on_profile: published,
      is_public: agent.is_public === 1,
      monthly_token_cap: shared?.monthly_token_cap ?? null,
      group_monthly_tokens: shared?.group_monthly_tokens ?? null,
      pays_for: terms.paysFor,
      titles: shared?.titles !== 0,
      allowed_models: [...terms.allowedModels],
      asker_daily_tokens: terms.askerDailyTokens,
    }),
  };
}

/** The keys of the values that the owner lets others see. */
export const publishedOf = (row: { published: string } | undefined): string[] => (row ? JSON.parse(row.published) : []);

/** The stored secrets, in the order of the fields. */
async function secrets(tx: Sql, layer: SecretLayer, agentKey: number, accountKey: number, { secret }: AgentFields) {
  const rows = await tx.all(secretsOf[layer].of, agentKey, accountKey);
  return secret.flatMap(({ key }) =>
    rows.filter(({ field }) => field === key).map(({ field, tail }) => ({ field, tail })),
  );
}

const specOf = ({ bounds: _bounds, ...spec }: Field): FieldSpec => spec;
