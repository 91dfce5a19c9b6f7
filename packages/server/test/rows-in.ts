import type { World } from '@parley/testing';

/** How many rows there are; `what` is a table, with a WHERE or without. */
export const rowsIn = (world: World, what: string): number =>
  Number(world.service.read.get<{ count: number }, []>({ sql: `SELECT count(*) AS count FROM ${what}` })?.count);

/** All that stands in the tables but for the update log, which forgets by its age, as one text. */
export function allText({ service: { read } }: World): string {
  const tables = read.all<{ name: string }, []>({
    sql: `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'events'`,
  });
  return tables.map(({ name }) => JSON.stringify(read.all({ sql: `SELECT * FROM "${name}"` }))).join('\n');
}
