import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { dayOf } from '../../rules/usage-days.ts';
import { withRole } from '../helpers/roles.ts';

test('ADMIN-24: getServiceOverview counts people by role and state, bytes, and tokens of 30 days', async () => {
  await using world = await createWorld({
    env: { HOUSE_AGENT: 'provider_b', HOUSE_AGENT_KEY: 'sk-house' },
  });
  const { ann, bob, cleo, dora } = await world.people('ann', 'bob', 'cleo', 'dora');
  await withRole(world, ann, 'owner');
  await withRole(world, bob, 'admin');
  const before = await ann.api.getServiceOverview({});
  await world.sql('UPDATE accounts SET pending = 1 WHERE username = $1', cleo.username);
  await ann.api.setAccountDisabled({ username: dora.username, disabled: true });
  const { id: chat_id } = await ann.api.startChat({ username: bob.username });
  await ann.api.sendMessage({ chat_id, text: 'x'.repeat(1_000) });
  const today = dayOf(Date.now());
  for (const [day, tokens] of [
    [today, 5],
    [today - 29, 7],
    [today - 30, 100],
  ] as const)
    await world.sql(
      "INSERT INTO usage_days (agent_key, day, tokens) SELECT key, $1, $2 FROM accounts WHERE username = 'parley:house'",
      day,
      tokens,
    );
  const now = await bob.api.getServiceOverview({});
  const members = now.accounts.find(({ role }) => role === 'member');
  expect(now.accounts.map(({ role }) => role)).toEqual(['member', 'admin', 'owner']);
  expect(members?.count).toBe(2);
  expect(now).toMatchObject({ disabled: 1, pending: 1, usage: [{ agent: 'parley:house', tokens: 12 }] });
  expect(now.stored_bytes - before.stored_bytes).toBeGreaterThan(1_000);
  expect(now.nodes).toBe(Number(process.env['NODES'] ?? 1));
  await expect(world.person('somebody').then(({ api }) => api.getServiceOverview({}))).rejects.toMatchObject({
    code: 'forbidden',
  });
});
