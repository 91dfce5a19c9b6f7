import { DatabaseError } from 'pg';

/** The SQLSTATE of PostgreSQL's own errors; undefined for all others. */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** SQLSTATEs of a server that closes or refuses connections: it is stopping, starting, or has too many. */
const leaving = /^(08|57P0[1-5]|53300|25P0[34])/;

/** SQLSTATE of a server that takes no writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006';

export const isReadOnly = (error: unknown): boolean => sqlState(error) === READ_ONLY;

export const isLeaving = (error: unknown): boolean => leaving.test(sqlState(error) ?? '');
