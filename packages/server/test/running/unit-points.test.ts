import { createWorld } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { expect } from 'vitest';
import { type UnitPoint, unitPoints } from '../../core/unit-points.ts';

embeddedTest('on PostgreSQL units run elsewhere')('OPS-9: a unit reaches its points in order', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const [own, other] = [await alice.socket(), await bob.socket()];
  const reached: UnitPoint[] = [];
  const note = (message: unknown): void => void reached.push(message as UnitPoint);
  unitPoints.subscribe(note);
  const delivered = other.waitFor(({ method }) => method === 'events.messageNew');
  await own.rpc('messages.send', { chat_id, text: 'hello' });
  await delivered;
  unitPoints.unsubscribe(note);
  const [id = 0] = reached.flatMap((one) => (one.point === 'asked' ? [one.id] : []));
  const isOwn = (one: UnitPoint): boolean => ('ids' in one ? one.ids.includes(id) : 'id' in one ? one.id === id : true);
  const first = [...new Set(reached.filter(isOwn).map(({ point }) => point))];
  const inStore = ['arrived', 'taken', 'ran', 'committed'];
  // The store may run in a thread of its own, whose points are published there.
  expect(first.filter((point) => !inStore.includes(point))).toEqual([
    'read',
    'begun',
    'asked',
    'posted',
    'returned',
    'settling',
    'given',
    'sent',
  ]);
  expect([[], inStore]).toContainEqual(first.filter((point) => inStore.includes(point)));
});
