import type { World } from '@parley/testing';
import { unavailable } from '../../core/errors.ts';

export interface Kill {
  /** Of the commits with this name … */
  name: string;
  /** … the one of this number, from 1. */
  nth: number;
  when: 'before' | 'after';
}

/**
 * Kills the service at a commit: just before it, or once it is on the disk and before anybody hears of it. Commits are
 * found by their names: how often a text is checkpointed, and which of several calls ends first, differ from run to run.
 */
export function killAt(world: World, { name: fatal, nth, when }: Kill): { died: Promise<true> } {
  const { units } = world.service;
  const run = units.run.bind(units);
  const died = Promise.withResolvers<true>();
  let count = 0;
  units.run = async (name, ...rest) => {
    if (count >= nth) throw unavailable('it is dead');
    if (name === fatal) count += 1;
    if (count < nth || name !== fatal) return run(name, ...rest);
    if (when === 'after') await run(name, ...rest);
    died.resolve(true);
    throw unavailable('it is dead');
  };
  return { died: died.promise };
}

/**
 * Plays a scene once for each commit with one of these names, and kills the service there. `play` returns false if the
 * scene ended before that commit. Each name must have one.
 */
export async function killEverywhere(
  names: readonly string[],
  when: Kill['when'],
  play: (kill: Kill) => Promise<boolean>,
): Promise<void> {
  for (const name of names)
    for (let nth = 1; ; nth += 1) {
      const wasKilled = await play({ name, nth, when }).catch((error: unknown) => {
        throw new Error(`killed ${when} ${name} ${nth}`, { cause: error });
      });
      if (wasKilled) continue;
      if (nth === 1) throw new Error(`the scene has no commit ${name}`);
      break;
    }
}
