import { operationNames } from '@parley/protocol';
import { expect, test } from 'vitest';
import { noKey, refusals } from './refusals.ts';

const agent = { username: 'ann:provider_a', display_name: 'Claude', agent_provider: 'provider_a' };

test.each([...Object.values(refusals), noKey].map((refusal) => refusal(agent).text))(
  'KEY-16: a refusal tells people what to do: %s',
  (text) => {
    expect(operationNames.filter((name) => text.includes(name))).toEqual([]);
    expect(text).not.toMatch(/provider_|[a-z][A-Z]/);
  },
);
