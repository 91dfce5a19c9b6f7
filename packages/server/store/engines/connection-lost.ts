/** The connection is lost or could not be opened. Pending statements may or may not have been executed. */
export class ConnectionLost extends Error {
  constructor(cause: Error) {
    super(`the connection to PostgreSQL is lost: ${cause.message}`, { cause });
    this.name = 'ConnectionLost';
  }
}
