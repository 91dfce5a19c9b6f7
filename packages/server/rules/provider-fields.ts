import { limits, type Provider, thinking } from '@parley/protocol';
import { type Field, field, type SecretField, secretField } from './field-values.ts';

/** The settings that an agent has. */
export interface AgentFields {
  template: string | null;
  config: readonly Field[];
  secret: readonly SecretField[];
}

export const noFields: AgentFields = { template: null, config: [], secret: [] };

const hottest: Record<Provider, number> = { provider_a: limits.temperatureA, provider_b: limits.temperatureB };

const webSearch = field('web_search', 'Web search', 'boolean', {
  description: 'Whether it may search the web for an answer. The provider bills each search.',
});

/** The servers of provider_b whose models search the web: OpenAI's own. */
const searchOrigins: Record<Provider, RegExp> = { provider_a: /./, provider_b: /^https:\/\/api\.openai\.com$/ };

/** The settings of a provider agent (BOTCONF-2). `baseUrl`: of the operator's server. */
export function providerFields(
  provider: Provider,
  { model, baseUrl }: { readonly model: string; readonly baseUrl: string },
): AgentFields {
  const searches = searchOrigins[provider].test(new URL(baseUrl).origin);
  return {
    template: null,
    config: [
      field('model', 'Model', 'string', { default: model }),
      field('system_prompt', 'System prompt', 'text', {
        description: 'What the model is told before every conversation.',
      }),
      field('temperature', 'Temperature', 'number', {
        description: `From 0 (the same again) to ${hottest[provider]} (varied). Some models take none.`,
        bounds: { min: 0, max: hottest[provider] },
      }),
      field('max_output_tokens', 'Longest reply, in tokens', 'number', {
        bounds: { min: 1, max: limits.maxOutputTokens, isInteger: true },
      }),
      field('thinking', 'Thinking', 'select', {
        description: 'How much it thinks before it answers. Thoughts cost tokens, and count towards the longest reply.',
        options: thinking.options,
      }),
      ...(searches ? [webSearch] : []),
    ],
    secret: [secretField(field('api_key', 'API key', 'string', { required: true }))],
  };
}

/**
 * The settings of an agent with a server of its own, whose models the operator does not know: `model` has no default, and
 * none searches the web.
 */
export const fieldsOfOwnServer = ({ config, ...fields }: AgentFields): AgentFields => ({
  ...fields,
  config: config
    .filter(({ key }) => key !== webSearch.key)
    .map((one) => (one.key === 'model' ? { ...one, default: undefined, required: true } : one)),
});
