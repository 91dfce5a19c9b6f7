import { fieldsOf } from '../../agents/agent-fields.ts';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid } from '../../core/errors.ts';
import type { AgentFields } from '../../rules/provider-fields.ts';
import { accountByKey } from '../../store/accounts.ts';
import { ownerConfig, putHandlesActions, putOwnerConfig, putTitles } from '../../store/bot-config.ts';
import { putGroupTokens, putTokenCap } from '../../store/usage.ts';
import { checkedConfig, sealedSecrets, secretOrigin, storeSecrets } from '../../agents/config/changes.ts';
import { storeKeyTerms } from '../../agents/config/key-terms.ts';
import { storePublic } from '../../agents/config/agent-visibility.ts';
import { configView } from '../../agents/config/config-view.ts';
import { requireSettableAgent } from '../../agents/config/configured-agent.ts';

/** Sets the owner's values for everyone. The secret `api_key` is the key of setAgentKey (BOTCONF-8, BOTCONF-9). */
export default preparedUnit('setBotConfig', {
  // The key policy and budgets are small; everything else that it sets is text.
  addsData: ({ config, secrets, show_on_profile }) => Boolean(config ?? secrets ?? show_on_profile),
  withheld: ['secrets'],
  async prepare({ tx, caller }, input, { keys, config: { providers } }: Needs<'keys' | 'config'>) {
    const { agent, ownerKey } = await requireSettableAgent({ tx, caller }, input);
    const origin = await secretOrigin(tx, agent.key);
    const fields = await fieldsOf(tx, agent, { providers });
    assertPublishable(fields, input.show_on_profile ?? []);
    const isProvider = agent.agent_provider !== null;
    const place = { agentKey: agent.key, accountKey: ownerKey, layer: 'owner', isProvider, origin } as const;
    return {
      fields,
      config: input.config && checkedConfig(fields.config, input.config),
      secrets: sealedSecrets(keys, place, fields.secret, input.secrets ?? {}),
    };
  },
  locks: everything,
  async handle(call, input, { fields, config, secrets }) {
    const { tx } = call;
    const { show_on_profile, is_public, handles_actions, monthly_token_cap, group_monthly_tokens } = input;
    // The bot may have been deleted since `prepare`.
    const { agent, ownerKey } = await requireSettableAgent(call, input);
    const stored = await tx.get(ownerConfig, agent.key);
    if (config || show_on_profile) {
      const values = config ? JSON.stringify(config) : (stored?.config ?? '{}');
      const published = show_on_profile
        ? JSON.stringify(fields.config.map(({ key }) => key).filter((key) => show_on_profile.includes(key)))
        : (stored?.published ?? '[]');
      await tx.run(putOwnerConfig, agent.key, values, published);
    }
    await storeSecrets(tx, 'owner', { agentKey: agent.key, accountKey: ownerKey }, secrets);
    if (monthly_token_cap !== undefined) await tx.run(putTokenCap, agent.key, monthly_token_cap);
    if (group_monthly_tokens !== undefined) await tx.run(putGroupTokens, agent.key, group_monthly_tokens);
    await storeKeyTerms(tx, agent.key, input, stored);
    if (input.titles !== undefined) await tx.run(putTitles, agent.key, Number(input.titles));
    if (handles_actions !== undefined) await tx.run(putHandlesActions, agent.key, Number(handles_actions));
    if (is_public !== undefined) await storePublic(tx, agent, is_public);
    return configView(call, (await tx.get(accountByKey, agent.key)) ?? agent, fields);
  },
});

/** Only fields of the config schema can be published, so no secret can. */
function assertPublishable({ config }: AgentFields, keys: readonly string[]): void {
  if (keys.some((key) => !config.some((field) => field.key === key)))
    throw invalid('show_on_profile', 'names a field that is not in the schema');
}
