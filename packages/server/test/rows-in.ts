import type { World } from '@parley/testing';

/** How many rows there are; `what` is a table, with a WHERE or without. */
export const rowsIn = (world: World, what: string): number =>
  Number(world.service.read.get<{ count: number }, []>({ sql: `SELECT count(*) AS count FROM ${what}` })?.count);
