import { afterAll, expect, test } from 'vitest';
import { createWorld } from '../world/world.ts';
import { storm, type StormReport } from './storm.ts';

const LENGTH = Number(process.env['STORM'] ?? 120);
/** STORM_SEEDS=40 plays the seeds 1 to 40, STORM_SEEDS=7-7 only the seed 7. */
const SEEDS = process.env['STORM_SEEDS'] ?? '1';
const [from, to] = SEEDS.includes('-') ? SEEDS.split('-').map(Number) : [1, Number(SEEDS)];
const seeds = Array.from({ length: (to ?? 0) - (from ?? 1) + 1 }, (_, at) => (from ?? 1) + at);

/** Seeds that failed once, and why. The network decides the timing, so a seed may pass by chance. */
const failedOnce: [seed: number, what: string][] = [
  [8, 'a reply out of focus stayed at the end after its conversation gave its position'],
  [12, 'older messages between those that were cleared and the beginning of a window could not be loaded'],
  [17, 'a reply out of focus that was a conversation’s last message was missing in its window'],
  [26, 'a page closed while replies had no position yet was opened with a gap before them'],
  [38, 'an event replayed after a fetch restored an old thread count'],
  [59, 'a reply that a fetched conversation showed as ended stayed at the end, with other messages'],
];

const total: StormReport = { acts: 0, sent: 0, recoveries: 0, reloads: 0, reopenings: 0 };

const played: [seed: number, what: string][] = [
  ...seeds.map((seed): [number, string] => [seed, '']),
  ...(SEEDS.includes('-') ? [] : failedOnce.filter(([seed]) => !seeds.includes(seed))),
];

test.each(played)(
  'SDK-1, SDK-40: after a storm every store equals a fresh load, seed %i %s',
  async (seed) => {
    const world = await createWorld();
    let failed = true;
    try {
      const report = await storm(world, seed, LENGTH);
      for (const key of Object.keys(total) as (keyof StormReport)[]) total[key] += report[key]; // its own keys
      failed = false;
    } finally {
      // After a failed storm, report only its error, not those of the close.
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
