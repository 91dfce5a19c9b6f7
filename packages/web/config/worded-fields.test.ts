import type { Account, FieldSpec } from '@parley/protocol';
import { expect, test } from 'vitest';
import { wordFor } from './fields.ts';
import { wordedFields } from './worded-fields.ts';

const keys = [
  'model',
  'system_prompt',
  'temperature',
  'max_output_tokens',
  'thinking',
  'web_search',
  'api_key',
  'city',
];
const fields = keys.map((key) => ({ key, label: 'in English', type: 'string' }) as FieldSpec);
const agent = (agent_provider: string) => ({ kind: 'agent', username: 'ann:x', agent_provider }) as Account;

test('WEB-430: the settings of an agent that the service runs on a model are in the app’s words', () => {
  const shown = wordedFields(agent('provider_a'), fields);
  expect(shown.map(({ label }) => label)).toEqual([
    'Model',
    'Instructions',
    'Temperature',
    'Longest reply, in tokens',
    'Thinking',
    'Web search',
    'API key',
    // From a newer service.
    'in English',
  ]);
  const [, , temperature, , thinking] = shown;
  expect(temperature?.description).toContain('to 1 (creative)');
  expect(wordedFields(agent('provider_b'), fields)[2]?.description).toContain('to 2 (creative)');
  expect(['off', 'high', 'max'].map((value) => thinking && wordFor(thinking, value))).toEqual(['Off', 'High', 'max']);
});

test('WEB-430: the settings of a bot keep the bot’s words', () => {
  for (const provider of ['bot', 'webhook', 'parley']) expect(wordedFields(agent(provider), fields)).toEqual(fields);
});
