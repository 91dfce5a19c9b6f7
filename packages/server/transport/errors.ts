import { type ErrorCode, errorStatus } from '@parley/protocol';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import { httpError } from '../core/json-reply.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const notJson = () => new ServiceError('unsupported_media_type', 'the body must be application/json');
export const unreadable = () => new ServiceError('invalid_argument', 'the request is malformed', { field: 'body' });

/** Translates the framework's own errors. */
export function frameworkError({ code, statusCode }: { code?: string; statusCode?: number }): ServiceError | undefined {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return unreadable();
  return undefined;
}

export function sendError(reply: FastifyReply, { code, message, parameters }: ServiceError): FastifyReply {
  // Errors raised by the framework itself have not passed the onRequest hook.
  reply.header('x-request-id', reply.request.id).header('cache-control', 'no-store');
  if (typeof parameters?.retry_after === 'number') reply.header('retry-after', String(parameters.retry_after));
  if (code === 'method_not_allowed') reply.header('allow', 'POST');
  return reply
    .code(errorStatus[code satisfies ErrorCode])
    .type(JSON_TYPE)
    .send(httpError(code, message, parameters));
}
