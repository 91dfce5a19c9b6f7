import type { Input } from '@parley/protocol';
import { fieldsOf } from '../../agents/agent-fields.ts';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid } from '../../core/errors.ts';
import type { AgentFields } from '../../rules/provider-fields.ts';
import { setPublic } from '../../store/accounts.ts';
import { ownerConfig, type OwnerConfigRow, putKeyTerms, putOwnerConfig } from '../../store/bot-config.ts';
import type { Sql } from '../../store/sql.ts';
import { putTokenCap } from '../../store/usage.ts';
import { checkedConfig, sealedSecrets, storeSecrets } from '../../agents/config/changes.ts';
import { configView } from '../../agents/config/config-view.ts';
import { requireOwnedAgent } from '../../agents/config/configured-agent.ts';

/** Sets the owner's values for everyone. The secret `api_key` is the key of setAgentKey (BOTCONF-8, BOTCONF-9). */
export default preparedUnit('setBotConfig', {
  withheld: ['secrets'],
  async prepare({ tx, caller }, input, { keys, config: { providers } }: Needs<'keys' | 'config'>) {
    const { agent, owner } = await requireOwnedAgent({ tx, caller }, input.username);
    const fields = await fieldsOf(tx, agent, { providers });
    assertPublishable(fields, input.show_on_profile ?? []);
    const isProvider = agent.agent_provider !== null;
    const place = { agentKey: agent.key, accountKey: owner.key, layer: 'owner', isProvider } as const;
    return {
      fields,
      config: input.config && checkedConfig(fields.config, input.config),
      secrets: sealedSecrets(keys, place, fields.secret, input.secrets ?? {}),
    };
  },
  locks: everything,
  async handle(call, input, { fields, config, secrets }) {
    const { tx } = call;
    const { username, show_on_profile, is_public, monthly_token_cap } = input;
    // The bot may have been deleted since `prepare`.
    const { agent, owner } = await requireOwnedAgent(call, username);
    const stored = await tx.get(ownerConfig, agent.key);
    if (config || show_on_profile) {
      const values = config ? JSON.stringify(config) : (stored?.config ?? '{}');
      const published = show_on_profile
        ? JSON.stringify(fields.config.map(({ key }) => key).filter((key) => show_on_profile.includes(key)))
        : (stored?.published ?? '[]');
      await tx.run(putOwnerConfig, agent.key, values, published);
    }
    await storeSecrets(tx, 'owner', { agentKey: agent.key, accountKey: owner.key }, secrets);
    if (monthly_token_cap !== undefined) await tx.run(putTokenCap, agent.key, monthly_token_cap);
    await storeKeyTerms(tx, agent.key, input, stored);
    if (is_public !== undefined) await tx.run(setPublic, agent.key, Number(is_public));
    const changed = is_public === undefined ? agent : { ...agent, is_public: Number(is_public) };
    return configView(call, changed, fields);
  },
});

/** Stores who may use the owner's key, and the limits; fields that are not given stay unchanged (KEY-14). */
async function storeKeyTerms(
  tx: Sql,
  agentKey: number,
  { pays_for, allowed_models, asker_daily_tokens }: Omit<Input<'setBotConfig'>, 'secrets'>,
  stored: OwnerConfigRow | undefined,
): Promise<void> {
  if (pays_for === undefined && allowed_models === undefined && asker_daily_tokens === undefined) return;
  const models = allowed_models ? JSON.stringify([...new Set(allowed_models)]) : (stored?.allowed_models ?? null);
  const daily = asker_daily_tokens === undefined ? (stored?.asker_daily_tokens ?? null) : asker_daily_tokens;
  await tx.run(putKeyTerms, agentKey, pays_for ?? stored?.pays_for ?? null, models, daily);
}

/** Only fields of the config schema can be published, so no secret can. */
function assertPublishable({ config }: AgentFields, keys: readonly string[]): void {
  if (keys.some((key) => !config.some((field) => field.key === key)))
    throw invalid('show_on_profile', 'names a field that is not in the schema');
}
