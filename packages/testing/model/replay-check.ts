import type { Actor } from '../world/actor.ts';
import { compareAll, type Follower } from './follower.ts';
import type { World } from '../world/world.ts';

const allCaps = ['', 'ext', 'nodrafts', 'patch', 'patch,focus,ext'];

/**
 * Runs `act`, and checks that every client knows what a fresh fetch shows: for each actor and set of caps, one that was
 * connected throughout, and one that had loaded before and connected afterwards.
 */
export async function checkReplay<Value>(
  world: World,
  actors: readonly Actor[],
  act: () => Promise<Value>,
): Promise<Value> {
  const live: Follower[] = [];
  const late: Follower[] = [];
  for (const actor of actors)
    for (const caps of allCaps) {
      live.push(await actor.follow(caps));
      late.push(await actor.follower(caps).load());
    }
  try {
    const value = await act();
    await world.settle();
    for (const follower of late) await follower.connect();
    for (const follower of [...live, ...late]) await follower.idle();
    await world.settle();
    await compareAll([...live, ...late]);
    return value;
  } finally {
    for (const follower of [...live, ...late]) await follower.drop();
  }
}
