import { afterAll, expect, test } from 'vitest';
import { createWorld } from '../world/world.ts';
import { storm, type StormReport } from './storm.ts';

const LENGTH = Number(process.env['STORM'] ?? 120);
/** STORM_SEEDS=40 plays the seeds 1 to 40, STORM_SEEDS=7-7 the seed 7 alone. */
const SEEDS = process.env['STORM_SEEDS'] ?? '1';
const [from, to] = SEEDS.includes('-') ? SEEDS.split('-').map(Number) : [1, Number(SEEDS)];
const seeds = Array.from({ length: (to ?? 0) - (from ?? 1) + 1 }, (_, at) => (from ?? 1) + at);

/** Seeds that failed once, and what was wrong; what happens when is up to the network, so that they may pass by chance. */
const failedOnce: [seed: number, what: string][] = [
  [8, 'a reply out of focus stayed at the end when its place was told with its conversation'],
  [17, 'a reply out of focus that was known as a last message was not shown in its window'],
  [38, 'a count of a thread came back with an event that was done again behind a fetch'],
  [59, 'a reply that had ended, as its conversation told, kept its place at the end and others beside it'],
];

const total: StormReport = { acts: 0, sent: 0, recoveries: 0, reloads: 0 };

const played: [seed: number, what: string][] = [
  ...seeds.map((seed): [number, string] => [seed, '']),
  ...(process.env['STORM_SEEDS'] === undefined ? failedOnce : []),
];

test.each(played)(
  'SDK-1: after a storm every store is what a fresh load shows, seed %i %s',
  async (seed) => {
    const world = await createWorld();
    let failed = true;
    try {
      const report = await storm(world, seed, LENGTH);
      for (const key of Object.keys(total) as (keyof StormReport)[]) total[key] += report[key]; // its own keys
      failed = false;
    } finally {
      // Of a failed storm the rest is no news.
      await world.close().catch((error: unknown) => {
        if (!failed) throw error;
      });
    }
  },
  120_000,
);

afterAll(() => {
  expect(total.recoveries).toBeGreaterThan(0);
  process.stdout.write(`storms: ${played.length} seeds, ${JSON.stringify(total)}\n`);
});
