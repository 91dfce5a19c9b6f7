import { afterAll, expect, test } from 'vitest';
import { embeddedTest } from '../contracts/tested-engine.ts';
import { BurningReads } from '../stores/slow-reads.ts';
import { storeOnSlowDisk } from '../stores/slow-flush.ts';
import { createSimulated, simulate, type SimulationReport } from './simulate.ts';

const OPERATIONS = Number(process.env['OPERATIONS'] ?? 300);
/** SEEDS=200 plays the seeds 1 to 200, SEEDS=17-17 only the seed 17. */
const SEEDS = process.env['SEEDS'] ?? '6';
/** Number of seeds that share a world, one after another. */
const SEEDS_PER_WORLD = 10;

/** Seeds that failed once, and why. */
const failedOnce: [seed: number, what: string, operations: number][] = [
  [22, 'getUpdates returned a head below its last frame to an account that had just joined a conversation', 300],
  [66, 'a snapshot that waited for its number was sent after the deletion of its message', 300],
  [67, 'a client that left a conversation did not forget its open replies', 300],
  [144, 'a client applied a snapshot that was older than the text it had fetched in the meantime', 300],
  [104, 'a snapshot lacked a reaction with a lower number', 300],
  [10, 'a client with patch and focus ignored a snapshot of which only the parts were newer', 200],
];

const [from, to] = SEEDS.includes('-') ? SEEDS.split('-').map(Number) : [1, Number(SEEDS)];
const seeds = Array.from({ length: (to ?? 0) - (from ?? 1) + 1 }, (_, at) => (from ?? 1) + at);
const groups = Array.from({ length: Math.ceil(seeds.length / SEEDS_PER_WORLD) }, (_, at) =>
  seeds.slice(at * SEEDS_PER_WORLD, (at + 1) * SEEDS_PER_WORLD),
);

const total: SimulationReport = { operations: 0, refused: 0, frames: 0, fetched: 0, reloads: 0, snapshots: 0 };
const add = (report: SimulationReport): void => {
  for (const key of Object.keys(total) as (keyof SimulationReport)[]) total[key] += report[key]; // its own keys
};

test.each(failedOnce)(
  'the seed %i, which failed once: %s',
  async (seed, _what, operations) => {
    add(await simulate({ seed, operations }));
  },
  60_000,
);

test.each(groups.map((group) => [`${group[0]} to ${group.at(-1)}`, group] as const))(
  'LOG-17: every client ends in the state of a fresh fetch, seeds %s',
  async (_title, group) => {
    const world = await createSimulated();
    let failed = true;
    try {
      for (const seed of group) add(await simulate({ seed, operations: OPERATIONS, world }));
      failed = false;
    } finally {
      // An error of close must not hide the failure of the simulation.
      await world.close().catch((error: unknown) => {
        if (!failed) throw error;
      });
    }
  },
  300_000,
);

embeddedTest('PostgreSQL flushes by itself')(
  'LOG-17, STORE-13: every client ends in the state of a fresh fetch, with a disk that flushes slowly',
  async () => {
    await using world = await createSimulated({ startStore: storeOnSlowDisk });
    for (const seed of seeds.slice(0, 4)) add(await simulate({ seed, operations: OPERATIONS, world }));
  },
  300_000,
);

embeddedTest('reads of PostgreSQL do not hold the thread')(
  'OPS-7: the simulation fails if a callback of the service held its thread',
  async () => {
    const reads = new BurningReads();
    await using world = await createSimulated({ wrapRead: reads.wrap });
    reads.left = 12;
    await expect(simulate({ seed: 1, operations: 10, world })).rejects.toThrow('a callback held the thread');
  },
  60_000,
);

afterAll(() => {
  expect(total.operations).toBeGreaterThan(0);
  process.stdout.write(`simulation: ${seeds.length} seeds, ${JSON.stringify(total)}\n`);
});
