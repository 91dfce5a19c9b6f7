import type { ErrorCode, ErrorParameters } from '@parley/protocol';
import { ServiceError } from './errors.ts';

/** Turns any error into one that the caller may see: never a stack, never SQL. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', 'something went wrong');
}

/** `result` is JSON text; undefined gives `{ ok: true }`. */
export const httpReply = (result: string | undefined): string =>
  result === undefined ? '{"ok":true}' : `{"ok":true,"result":${result}}`;

export const httpError = (code: ErrorCode, description: string, parameters?: ErrorParameters): string =>
  JSON.stringify({ ok: false, error_code: code, description, parameters });

const idPart = (id: string | number | undefined): string => (id === undefined ? '' : `"id":${JSON.stringify(id)},`);

export const socketReply = (id: string | number | undefined, result: string | undefined): string =>
  result === undefined ? `{${idPart(id)}"ok":true}` : `{${idPart(id)}"ok":true,"result":${result}}`;

export const socketError = (id: string | number | undefined, { code, message, parameters }: ServiceError): string =>
  `{${idPart(id)}"ok":false,"error":${JSON.stringify({ code, message, parameters })}}`;
