import { type Connection, DatabaseError, type FieldDef, type Submittable } from 'pg';
import type { SqlValue } from '../sql.ts';
import type { Merged } from './postgres-merged.ts';
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
  /** Runs the statement for many sets of parameters. */
  readonly merged: PreparedMerged | undefined;
  readonly #columns: readonly { name: string; parse: Parser }[];

  constructor(name: string, fields: readonly FieldDef[], merged?: PreparedMerged) {
    this.name = Buffer.from(`${name}\0`);
    this.merged = merged;
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

/** A merged statement that a connection has prepared. */
interface PreparedMerged extends Pick<Merged, 'types' | 'isNumbered'> {
  readonly statement: PreparedStatement;
}

interface Asked {
  values: readonly SqlValue[];
  rows: unknown[];
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** A statement for one caller, or merged for several. */
interface Run {
  single: PreparedStatement;
  asked: Asked[];
  rows: number;
  failure: unknown;
}

const writer = new MessageWriter();

/**
 * Prepared statements of one transaction that are sent in one message and answered in one: sent separately, each would
 * cost the server a write and the client a read. If one fails, the following ones do not run, as in any transaction.
 */
export class PostgresGroup implements Submittable {
  readonly #runs: Run[] = [];
  readonly #mergeable = new Map<PreparedStatement, Run>();
  #answered = 0;

  ask(statement: PreparedStatement, values: readonly SqlValue[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked: Asked = { values, rows: [], resolve, reject };
      const found = this.#mergeable.get(statement);
      if (found) found.asked.push(asked);
      else {
        const run: Run = { single: statement, asked: [asked], rows: 0, failure: undefined };
        this.#runs.push(run);
        if (statement.merged) this.#mergeable.set(statement, run);
      }
    });
  }

  // `pg` calls the following methods.

  submit({ stream }: Connection): void {
    for (const { single, asked } of this.#runs) {
      const [first] = asked;
      if (single.merged && asked.length > 1) {
        const { statement, types } = single.merged;
        const sets = asked.map(({ values }) => values);
        writer.executeMerged(statement.name, types, sets);
      } else if (first) writer.execute(single.name, first.values);
    }
    stream.write(writer.end());
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const run = this.#runs[this.#answered];
    if (!run) return;
    const { single, asked } = run;
    try {
      const many = asked.length > 1 ? single.merged : undefined;
      const set = many?.isNumbered ? Number(fields.at(-1)) - 1 : many ? run.rows : 0;
      asked[set]?.rows.push((many?.statement ?? single).row(fields));
    } catch (error) {
      run.failure ??= error;
    }
    run.rows += 1;
  }

  handleCommandComplete({ text }: { text: string }): void {
    const run = this.#runs[this.#answered];
    this.#answered += 1;
    if (!run) return;
    // 'INSERT 0 1', 'SELECT 3'. For a merged statement PostgreSQL reports one sum; only returned rows belong to a set.
    const count = Number(/(?<!\d)\d+$/.exec(text)?.[0] ?? 0);
    const isByRow = run.asked.length > 1 && run.rows > 0;
    for (const { rows, resolve, reject } of run.asked)
      if (run.failure !== undefined) reject(run.failure);
      else resolve({ rows, count: isByRow ? rows.length : count });
  }

  /** An error of the next statement; if the connection is lost, of all remaining ones. */
  handleError(error: Error): void {
    const [failed, ...behind] = this.#runs.slice(this.#answered);
    this.#answered = this.#runs.length;
    for (const { reject } of failed?.asked ?? []) reject(error);
    const after = error instanceof DatabaseError ? notRun() : error;
    for (const { asked } of behind) for (const { reject } of asked) reject(after);
  }

  handleReadyForQuery(): void {
    if (this.#answered < this.#runs.length) this.handleError(new Error('statements without an answer'));
  }
}

/** The error with which PostgreSQL answers statements of a failed transaction. */
function notRun(): DatabaseError {
  const error = new DatabaseError('current transaction is aborted, commands ignored', 0, 'error');
  error.code = '25P02';
  return error;
}
