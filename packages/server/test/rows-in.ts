import type { World } from '@parley/testing';

/** How many rows there are; `what` is a table, with a WHERE or without. */
export async function rowsIn({ service: { read } }: World, what: string): Promise<number> {
  const row = await read.get<{ count: number }, []>({ sql: `SELECT count(*) AS count FROM ${what}` });
  return Number(row?.count);
}

/** All that stands in the tables but for the update log, which forgets by its age, as one text. */
export async function allText({ service: { read } }: World): Promise<string> {
  const tables = await read.all<{ name: string }, []>({
    sql: `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name <> 'events'`,
  });
  const texts = tables.map(async ({ name }) => JSON.stringify(await read.all({ sql: `SELECT * FROM "${name}"` })));
  return (await Promise.all(texts)).join('\n');
}
