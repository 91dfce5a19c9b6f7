import { type Agent, thinking } from '@parley/protocol';
import { contextOf } from '../../rules/conversation-context.ts';
import { termsOf } from '../../rules/owner-key-terms.ts';
import { ofFields } from '../../rules/run-config.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { type AccountRow, isDefaultAgent, isGuide, visibilityOf } from '../../store/accounts.ts';
import { ownerConfig } from '../../store/bot-config.ts';
import type { Call } from '../../access/call.ts';
import type { fieldsOf } from '../agent-fields.ts';
import { builtInTools, storedContext, storedValues } from '../load-run-config.ts';
import { hasOwnersKey, serverOf } from '../model-server.ts';
import { payingFor } from '../owner-key.ts';
import { publishedOf } from './config-view.ts';

/** An agent as the caller may see it: to its owner all of it, to others what the owner published (CUSTOM-5). */
export async function agentView(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  agent: AccountRow,
  fields: Awaited<ReturnType<typeof fieldsOf>>,
): Promise<Agent> {
  const isOwner = agent.parent_key === caller.key;
  const stored = await tx.get(ownerConfig, agent.key);
  const baseUrl = stored?.base_url ?? null;
  const server = serverOf(baseUrl);
  const published = publishedOf(stored);
  const isProvider = !isGuide(agent) && agent.agent_provider !== null;
  const shown = fields.config.filter(({ key }) => isProvider && (isOwner || published.includes(key)));
  const { model, system_prompt, temperature, max_output_tokens, ...values } = ofFields(shown, storedValues(stored));
  const effort = thinking.safeParse(values['thinking']).data;
  const builtIn = builtInTools(stored);
  const { paysFor, allowedModels, askerDailyTokens } = termsOf(stored);
  return {
    ...accountRecord(agent),
    is_default: isDefaultAgent(agent),
    visibility: visibilityOf(agent),
    ...(caller.kind === 'human' && (await payingFor(tx, { ...agent, account_key: agent.key }, caller))),
    ...(server !== undefined && { server }),
    ...(model !== undefined && { model }),
    ...(system_prompt !== undefined && { system_prompt }),
    ...(temperature !== undefined && { temperature: Number(temperature) }),
    ...(max_output_tokens !== undefined && { max_output_tokens: Number(max_output_tokens) }),
    ...(effort !== undefined && { thinking: effort }),
    ...(values['web_search'] === 'true' && { web_search: true }),
    // What it may read and do is said to all who see the agent, as its servers of tools are (TOOL-4).
    ...(builtIn.length > 0 && { built_in_tools: [...builtIn] }),
    ...(isOwner && {
      ...(baseUrl !== null && { base_url: baseUrl }),
      ...(isProvider && {
        key_configured: await hasOwnersKey(tx, agent, baseUrl),
        context: contextOf(storedContext(stored)),
        pays_for: paysFor,
        titles: stored?.titles !== 0,
        allowed_models: [...allowedModels],
        asker_daily_tokens: askerDailyTokens,
      }),
      monthly_token_cap: stored?.monthly_token_cap ?? null,
      group_monthly_tokens: stored?.group_monthly_tokens ?? null,
    }),
  };
}
