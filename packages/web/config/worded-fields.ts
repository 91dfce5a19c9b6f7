import type { Account, FieldSpec } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { t } from '../words/t.ts';
import type { ShownField } from './fields.ts';

type Words = Partial<Pick<ShownField, 'label' | 'description' | 'words'>>;

/** The fields that the service declares, for an agent that it runs on a model (BOTCONF-2). */
const ownWords = (maxTemperature: number): Readonly<Record<string, Words>> => ({
  model: { label: t('Model') },
  system_prompt: {
    label: t('Instructions'),
    description: t('What the model is told before every conversation.'),
  },
  temperature: {
    label: t('Temperature'),
    description: t('From 0 (predictable) to {most, number} (creative). Some models take none.', {
      most: maxTemperature,
    }),
  },
  max_output_tokens: { label: t('Longest reply, in tokens') },
  thinking: {
    label: t('Thinking'),
    description: t('How much it thinks before it answers. Thoughts cost tokens, and count towards the longest reply.'),
    words: { off: t('Off'), low: t('Low'), medium: t('Medium'), high: t('High') },
  },
  web_search: {
    label: t('Web search'),
    description: t('It may search the web for an answer. The provider bills each search.'),
  },
  api_key: { label: t('API key') },
});

/** The fields of an agent's settings: the service's own in the app's words (WEB-430), those of a bot in the bot's. */
export function wordedFields({ agent_provider: provider }: Account, fields: readonly FieldSpec[]): ShownField[] {
  if (provider !== 'provider_a' && provider !== 'provider_b') return [...fields];
  const words = ownWords(provider === 'provider_a' ? limits.temperatureA : limits.temperatureB);
  return fields.map((field) => (Object.hasOwn(words, field.key) ? { ...field, ...words[field.key] } : field));
}
