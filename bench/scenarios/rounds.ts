// The scenarios, one file per key of the JSON; this file and room.ts are shared.
import type { Bench } from '../bench.ts';
import type { Cores } from '../load/jobs.ts';

/**
 * Runs short rounds of the sides in turn, so that a slow moment of the machine affects both; each second round begins
 * with the last side. A side that fails is dropped.
 */
export async function alternate<Result>(
  bench: Bench,
  sides: Record<string, (() => Promise<Result>) | undefined>,
): Promise<Record<string, Result[]>> {
  const results: Record<string, Result[]> = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  const failed = new Set<string>();
  for (let round = 0; round < bench.rounds; round++) {
    const inTurn = Object.entries(sides);
    for (const [side, run] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      if (run === undefined || failed.has(side)) continue;
      const result = await bench.attempt(side, run);
      if (result === undefined) failed.add(side);
      else results[side]?.push(result);
    }
  }
  return results;
}

/** Repeats until enough was measured or the time is over; a slow server gets fewer repetitions, not a longer run. */
export async function repeatFor(
  limits: { times: number; seconds: number },
  once: (index: number) => Promise<void>,
): Promise<void> {
  const endMs = performance.now() + limits.seconds * 1_000;
  for (let index = 0; index < limits.times && performance.now() < endMs; index++) await once(index);
}

export function coresText(cores: Cores, side: string): string {
  const server = cores.server === undefined ? '' : `, ${side} ${cores.server.toFixed(2)}`;
  return `busy cores: generator ${cores.generator.toFixed(2)}${server}`;
}
