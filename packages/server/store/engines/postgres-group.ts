import { type Connection, DatabaseError, type FieldDef, type Submittable } from 'pg';
import type { SqlValue } from '../sql.ts';
import { MessageWriter } from './postgres-messages.ts';
import { type Parser, valueTypes } from './postgres-values.ts';

/** The result of a statement. */
export interface Answer {
  rows: unknown[];
  /** Number of rows found or changed. */
  count: number;
}

/** A statement that a connection has prepared, with the columns of its rows. */
export class PreparedStatement {
  readonly name: Uint8Array;
  readonly #columns: readonly { name: string; parse: Parser }[];

  constructor(name: string, fields: readonly FieldDef[]) {
    this.name = Buffer.from(`${name}\0`);
    this.#columns = fields.map((field) => ({ name: field.name, parse: valueTypes.getTypeParser(field.dataTypeID) }));
  }

  row(values: readonly (string | null)[]): unknown {
    const row: Record<string, string | number | Uint8Array | null> = {};
    let at = 0;
    for (const { name, parse } of this.#columns) {
      const value = values[at] ?? null;
      row[name] = value === null ? null : parse(value);
      at += 1;
    }
    return row;
  }
}

interface Asked {
  statement: PreparedStatement;
  values: readonly SqlValue[];
  rows: unknown[];
  failure: unknown;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

const writer = new MessageWriter();

/**
 * Prepared statements of one transaction that are sent in one message and answered in one: sent separately, each would
 * cost the server a write and the client a read. If one fails, the following ones do not run, as in any transaction.
 */
export class PostgresGroup implements Submittable {
  readonly #asked: Asked[] = [];
  #answered = 0;

  ask(statement: PreparedStatement, values: readonly SqlValue[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, values, rows: [], failure: undefined, resolve, reject });
    });
  }

  // `pg` calls the following methods.

  submit({ stream }: Connection): void {
    for (const { statement, values } of this.#asked) writer.execute(statement.name, values);
    stream.write(writer.end());
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const asked = this.#asked[this.#answered];
    if (!asked) return;
    try {
      asked.rows.push(asked.statement.row(fields));
    } catch (error) {
      asked.failure ??= error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const asked = this.#asked[this.#answered];
    this.#answered += 1;
    if (asked?.failure !== undefined) asked.reject(asked.failure);
    // 'INSERT 0 1', 'SELECT 3'
    else asked?.resolve({ rows: asked.rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
  }

  /** An error of the next statement; if the connection is lost, of all remaining ones. */
  handleError(error: Error): void {
    const [failed, ...behind] = this.#asked.slice(this.#answered);
    this.#answered = this.#asked.length;
    failed?.reject(error);
    for (const { reject } of behind) reject(error instanceof DatabaseError ? notRun() : error);
  }

  handleReadyForQuery(): void {
    if (this.#answered < this.#asked.length) this.handleError(new Error('statements without an answer'));
  }
}

/** The error with which PostgreSQL answers statements of a failed transaction. */
function notRun(): DatabaseError {
  const error = new DatabaseError('current transaction is aborted, commands ignored', 0, 'error');
  error.code = '25P02';
  return error;
}
