import type { ErrorCode, ErrorParameters } from '@parley/protocol';
import { ServiceError } from './errors.ts';

/** Turns any error into one that the caller may see: never a stack, never SQL. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', 'something went wrong');
}

/** Replies with a result of this length are sent as bytes: Node joins text with the headers, which copies it. */
const LONG = 65_536;
const beforeResult = '{"ok":true,"result":';

/** `httpReply`, as bytes if it is long. */
export function httpBody(result: string | undefined): string | Buffer {
  if (result === undefined || result.length < LONG) return httpReply(result);
  const resultBytes = Buffer.byteLength(result);
  const body = Buffer.allocUnsafe(beforeResult.length + resultBytes + 1);
  body.write(beforeResult, 'latin1');
  body.write(result, beforeResult.length);
  body.write('}', body.length - 1, 'latin1');
  return body;
}

/** `result` is JSON text; undefined gives `{ ok: true }`. */
export const httpReply = (result: string | undefined): string =>
  result === undefined ? '{"ok":true}' : `${beforeResult}${result}}`;

export const httpError = (code: ErrorCode, description: string, parameters?: ErrorParameters): string =>
  JSON.stringify({ ok: false, error_code: code, description, parameters });

const idPart = (id: string | number | undefined): string => (id === undefined ? '' : `"id":${JSON.stringify(id)},`);

export const socketReply = (id: string | number | undefined, result: string | undefined): string =>
  result === undefined ? `{${idPart(id)}"ok":true}` : `{${idPart(id)}"ok":true,"result":${result}}`;

export const socketError = (id: string | number | undefined, { code, message, parameters }: ServiceError): string =>
  `{${idPart(id)}"ok":false,"error":${JSON.stringify({ code, message, parameters })}}`;
