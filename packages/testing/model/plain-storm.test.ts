import { expect, test } from 'vitest';
import { plainStorm } from './plain-storm.ts';

const { STORM_SEEDS = '3', STORM_FIRST = '1' } = process.env;
const seeds = Array.from({ length: Number(STORM_SEEDS) }, (_, at) => Number(STORM_FIRST) + at);

test.each(seeds)(
  'LOG-17, LOG-12, LOG-19, CAPS-9: clients written from the interface alone know what is stored, with every set of caps (seed %i)',
  async (seed) => {
    expect(await plainStorm(seed, 250)).toEqual([]);
  },
  120_000,
);
