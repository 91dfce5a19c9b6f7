import { limits } from '@parley/protocol/limits';
import type { FieldDescription } from '../../calls/use-form.ts';
import { t } from '../../words/t.ts';
import { tokensIn } from './key-terms-input.ts';

/** The daily tokens for each person if the owner sets none, as the service has them. */
export const USUAL_DAILY_TOKENS = 200_000;

/** The longest handle, which the service's names of agents allow. */
export const SLUG_LENGTH = 32;

/** Most temperatures of any provider. */
const MAX_TEMPERATURE = limits.temperatureB;

/** A decimal number; null for an empty text, undefined for an invalid one. */
export function numberIn(typed: string): number | null | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return null;
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const tokens = {
  kind: 'whole',
  problem: (typed) => (tokensIn(typed) === undefined ? t('Enter a whole number, or leave it empty.') : null),
} as const satisfies Partial<FieldDescription>;

/** A whole number between bounds; an empty field stands for the most. */
const upTo = (least: number, most: number) =>
  ({
    kind: 'whole',
    placeholder: String(most),
    problem: (typed) => {
      const value = tokensIn(typed);
      return value === null || (value !== undefined && value >= least && value <= most)
        ? null
        : t('Enter a whole number from {least, number} to {most, number}, or leave it empty.', { least, most });
    },
  }) as const satisfies Partial<FieldDescription>;

/** The fields of agents and bots, in all forms that have them, in the order of the form for an agent. */
export const agentFields = {
  display_name: {
    label: t('Name'),
    maxLength: limits.nameBytes / 4, // UTF-8 has at most four bytes for a character
    problem: (typed) => (typed.trim() === '' ? t('Enter a name.') : null),
  },
  slug: { kind: 'handle', label: t('Handle'), maxLength: SLUG_LENGTH },
  description: {
    label: t('Description'),
    placeholder: t('What people can ask it for'),
    hint: t('Optional. People see it beside the name.'),
  },
  system_prompt: {
    kind: 'prose',
    rows: 9,
    label: t('Instructions'),
    placeholder: t('You are … People ask you to … Always … Never …'),
    hint: t(
      'The model reads them before every conversation. People can find out what they say, so don’t put secrets in.',
    ),
  },
  base_url: {
    kind: 'address',
    label: t('Address of the server'),
    placeholder: 'https://models.example.com/v1',
    hint: t(
      'Ollama, vLLM, LM Studio, OpenRouter or a similar server. The address usually ends in /v1. Conversations are sent there.',
    ),
  },
  provider: {
    kind: 'choice',
    label: t('API of the server'),
    options: [
      { value: 'provider_b', label: t('OpenAI’s API (most servers)') },
      { value: 'provider_a', label: t('Anthropic’s API') },
    ],
  },
  model: { kind: 'handle', label: t('Model') },
  temperature: {
    kind: 'decimal',
    label: t('Temperature'),
    placeholder: t('The model’s default'),
    hint: t('From 0 (predictable) to {most, number} (creative).', { most: MAX_TEMPERATURE }),
    problem: (typed) => {
      const value = numberIn(typed);
      return value === undefined || (value ?? 0) > MAX_TEMPERATURE
        ? t('Enter a number from 0 to {most, number}.', { most: MAX_TEMPERATURE })
        : null;
    },
  },
  max_output_tokens: {
    kind: 'whole',
    label: t('Longest reply, in tokens'),
    placeholder: '4096',
    hint: t('A token is about four characters.'),
    problem: (typed) => {
      const value = tokensIn(typed);
      return value === undefined || value === 0 || (value ?? 1) > limits.maxOutputTokens
        ? t('Enter a whole number up to {most, number}, or leave it empty.', { most: limits.maxOutputTokens })
        : null;
    },
  },
  thinking: {
    kind: 'choice',
    label: t('Thinking'),
    options: [
      { value: 'off', label: t('Off') },
      { value: 'low', label: t('Low') },
      { value: 'medium', label: t('Medium') },
      { value: 'high', label: t('High') },
    ],
    hint: t('Thinking takes time and tokens. People can unfold the thoughts. Not every model can think.'),
  },
  context_messages: {
    ...upTo(1, limits.contextMessages),
    label: t('Messages, at most'),
    hint: t('From 1 to {most, number}, including the question.', { most: limits.contextMessages }),
  },
  context_characters: {
    ...upTo(limits.contextCharactersLeast, limits.contextCharacters),
    label: t('Characters, at most'),
    hint: t('From {least, number} to {most, number}, in all these messages together.', {
      least: limits.contextCharactersLeast,
      most: limits.contextCharacters,
    }),
  },
  asker_daily_tokens: {
    ...tokens,
    label: t('Daily tokens for each of them'),
    placeholder: String(USUAL_DAILY_TOKENS),
    hint: t('Enter 0 for none; leave it empty for {usual, number}.', { usual: USUAL_DAILY_TOKENS }),
  },
  group_monthly_tokens: {
    ...tokens,
    label: t('Monthly tokens in each group'),
    placeholder: t('No limit'),
    hint: t('For all replies there on your key, your own included. You get a warning at 80%.'),
  },
  allowed_models: {
    kind: 'code',
    label: t('Models they may choose'),
    placeholder: t('None: they use the model you set'),
    hint: t('One per line.'),
  },
} satisfies Record<string, FieldDescription>;
