/**
 * How the rooms of a service close: a room that opens says here how it closes, and the last one to open is closed first,
 * also if a later one fails to open.
 */
export type Closers = Pick<AsyncDisposableStack, 'defer'>;

/** The part of a logger that takes faults of the service itself. */
export interface FaultLogger {
  error(facts: object, message: string): void;
}

/** Logs each error with what was tried. */
export const logFaults =
  (logger: FaultLogger, what: string) =>
  (error: unknown): void =>
    logger.error({ err: error }, what);
