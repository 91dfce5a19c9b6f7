// core/: errors, ids, the clock, JSON, settings, queues: nothing that knows about chat. Imports no other room.
import type { ErrorCode, ErrorParameters } from '@parley/protocol';

/** An error that the caller may see; each transport renders it (ERR-1). */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly parameters: ErrorParameters | undefined;

  constructor(code: ErrorCode, message: string, parameters?: ErrorParameters) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.parameters = parameters;
  }
}

export const invalid = (field: string, message: string) =>
  new ServiceError('invalid_argument', `${field} ${message}`, { field });
export const notFound = (what: string) => new ServiceError('not_found', `not found: ${what}`);
export const forbidden = (why: string) => new ServiceError('forbidden', why);
export const conflict = (why: string, parameters?: ErrorParameters) => new ServiceError('conflict', why, parameters);
export const unavailable = (why: string) => new ServiceError('unavailable', why);
