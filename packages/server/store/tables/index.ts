import { agents } from './agents.ts';
import { conversations } from './conversations.ts';
import { files } from './files.ts';
import { messages } from './messages.ts';
import { people } from './people.ts';
import { service } from './service.ts';
import type { Reference, Table, Target } from './table.ts';

const declared = { ...people, ...conversations, ...messages, ...files, ...agents, ...service } satisfies Record<
  Target,
  Table
>;

export type TableName = keyof typeof declared;

/** Every table of the schema, by name. */
export const tables: Readonly<Record<TableName, Table>> = declared;

// The keys of the literal above.
const names = Object.keys(declared) as TableName[];

/** Every column that refers to a row of a table, in the order of the declarations. */
export const references: readonly { table: TableName; column: string; to: Reference }[] = names.flatMap((table) =>
  Object.entries(tables[table].references ?? {}).map(([column, to]) => ({ table, column, to })),
);

/** The tables that a move between engines copies, by name. */
export const movedTables: readonly TableName[] = names
  .filter((name) => tables[name].engine === undefined && tables[name].unmoved === undefined)
  .toSorted();

/** The tables that restoring a backup empties; both engines have them. */
export const emptiedTables: readonly TableName[] = names.filter((name) => tables[name].emptied);
