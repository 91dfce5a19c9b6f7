import { createWorld, ManualClock } from '@parley/testing';
import { expect, test } from 'vitest';

test('CLUSTER-36: a node does only its own housekeeping until it becomes the lead, and then all of it', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock, nodes: 0 });
  const { service } = world;
  let isLead = false;
  service.standing.isLead = () => isLead;
  const alice = await world.member();
  await clock.advance(120_000);
  await alice.api.getMe();
  await clock.advance(2_000);
  await world.settle();
  const [used] = await world.sql<{ last_active_at: number }>('SELECT last_active_at FROM sessions');
  expect(used?.last_active_at).toBe(clock.now() - 1_000);

  await world.sql('UPDATE sessions SET expires_at = 1');
  await clock.advance(5_000);
  expect(await world.sql('SELECT key FROM sessions')).toHaveLength(1);
  isLead = true;
  await clock.advance(1_000);
  await world.settle();
  expect(await world.sql('SELECT key FROM sessions')).toEqual([]);
});
