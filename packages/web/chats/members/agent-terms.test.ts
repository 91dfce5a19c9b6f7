import type { Agent } from '@parley/protocol';
import { expect, test } from 'vitest';
import { termsOf } from './agent-terms.tsx';

const agent = (more: Partial<Agent>): Agent => ({
  username: 'ann:tutor',
  kind: 'agent',
  display_name: 'Tutor',
  parent_username: 'ann',
  agent_provider: 'provider_a',
  created_at: '2026-01-01T00:00:00.000Z',
  is_default: false,
  visibility: 'groups',
  ...more,
});

test.each<[string, Partial<Agent>, string]>([
  ['bob', { payer: 'ann' }, 'This is Ann’s agent. Ann pays for its replies to you.'],
  ['bob', { payer: 'bob' }, 'This is Ann’s agent. Its replies to you use your own key.'],
  ['bob', { payer: null, needs_key: true }, 'This is Ann’s agent. It needs an API key of yours to answer you.'],
  [
    'bob',
    { payer: 'ann', server: 'models.example.com' },
    'This is Ann’s agent. Ann pays for its replies to you. Conversations go to models.example.com.',
  ],
  ['ann', { payer: 'ann', pays_for: 'groups' }, 'This agent is yours. Your key pays for people in its groups.'],
  [
    'ann',
    { payer: null, needs_key: true, pays_for: 'nobody' },
    'This agent is yours. It has no key yet. Others pay with their own key.',
  ],
  ['ann', { payer: 'ann', agent_provider: 'bot' }, 'This agent is yours. You pay for it.'],
  ['bob', { parent_username: undefined, payer: null }, ''],
])('to @%s an agent with %j reads %j', (me, more, text) => {
  expect(termsOf(agent(more), me, 'Ann')).toBe(text);
});
