import { DatabaseError } from 'pg';

/** The SQLSTATE of PostgreSQL's own errors; undefined for all others. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** The connection is no more, or never was; whether what was under way has been done nobody knows. */
export class ConnectionLost extends Error {
  constructor(cause: Error) {
    super(`the connection to PostgreSQL is lost: ${cause.message}`, { cause });
    this.name = 'ConnectionLost';
  }
}

/** SQLSTATEs with which a server takes leave, or takes nobody in: going down, starting, full. */
const leaving = /^(08|57P0[1-5]|53300|25P0[34])/;

export const isLeaving = (error: unknown): boolean => leaving.test(sqlState(error) ?? '');
