// store/tables/: one declaration for each table of the schema. What checks, moves, deletes or exports whole tables derives
// its lists from them (`index.ts`); a test compares them with the schema of both engines.

/** The tables that others refer to. */
export type Target =
  | 'accounts'
  | 'agent_sources'
  | 'backends'
  | 'channels'
  | 'chats'
  | 'files'
  | 'folders'
  | 'messages'
  | 'polls'
  | 'push_tokens'
  | 'reports'
  | 'scheduled'
  | 'service_invites'
  | 'sessions'
  | 'tool_calls'
  | 'tool_servers'
  | 'turns'
  | 'user_groups';

/** The row that a column refers to. */
export interface Reference {
  /** How `check` describes rows whose reference is dangling. */
  what: string;
  table: Target;
  /** The column of the other table; by default `key`. */
  key?: string;
  /** The column's value for no reference. */
  none?: 0 | null;
  /**
   * What becomes of the row when the row that it refers to is deleted; accounts, channels and messages stay as tombstones
   * then. `deleted`: a unit deletes it with that row. `belonging`: the same, and one statement is enough, which
   * `removeBelongings` derives; only of accounts. By default it stays.
   */
  onDelete?: 'deleted' | 'belonging';
}

export interface Table {
  /** The columns of the primary key, in its order. */
  key: readonly string[];
  references?: Readonly<Record<string, Reference>>;
  /** Columns that are named like references but are not, each with its reason. */
  unchecked?: Readonly<Record<string, string>>;
  /** The sections of an account's export that show rows of the table, or why none does (EXPORT-2). */
  exported: readonly string[] | string;
  /** Why a move to another engine leaves the table out; absent if it copies the table. */
  unmoved?: string;
  /** Whether the table is empty after a backup was restored, because its rows name what clients have seen since. */
  emptied?: true;
  /** The only engine that has the table; both have the others. */
  engine?: 'postgres';
}

type More = Pick<Reference, 'none' | 'onDelete'>;
export const account = (what: string, more: More = {}): Reference => ({ what, table: 'accounts', ...more });
export const chat = (what: string, more: More = {}): Reference => ({ what, table: 'chats', ...more });
export const message = (what: string, more: More = {}): Reference => ({ what, table: 'messages', ...more });
/** A channel; 0 for #all. */
export const channel = (what: string, more: Pick<Reference, 'onDelete'> = {}): Reference => ({
  what,
  table: 'channels',
  none: 0,
  ...more,
});
/** A session, by its public id. */
export const session = (what: string): Reference => ({
  what,
  table: 'sessions',
  key: 'id',
  none: null,
  onDelete: 'deleted',
});
