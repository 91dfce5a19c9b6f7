// The two ways in: HTTP and WebSocket. Both authenticate, hand the call to dispatch.ts, and render what comes back.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  type ErrorCode,
  errorStatus,
  limits,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '@parley/protocol';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Caller } from '../call.ts';
import { dispatch } from '../dispatch.ts';
import { forbidden, invalid, notFound, ServiceError } from '../errors.ts';
import { httpError, httpReply, toServiceError } from '../json-reply.ts';
import type { Service } from '../service.ts';
import type { Metrics } from './metrics.ts';
import { isAllowedHost, isAllowedOrigin } from './origins.ts';
import { servePages } from './pages.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    startedAt: number;
  }
}

/** What a caller is told of the framework's own refusals. */
function frameworkError({ code, statusCode }: { code?: string; statusCode?: number }): ServiceError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ServiceError('too_large', `the body is larger than ${limits.bodyBytes} bytes`);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ServiceError('unsupported_media_type', 'the body must be application/json');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ServiceError('invalid_argument', 'the request cannot be read', { field: 'body' });
  return undefined;
}

export function createHttp(service: Service, metrics: Metrics): FastifyInstance {
  const { config, authenticator, logger } = service;
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, _request, reply) => void sendError(reply, frameworkError(error) ?? toServiceError(error)),
  });
  app.decorateRequest('caller', null);
  app.decorateRequest('startedAt', 0);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(invalid('body', 'is not UTF-8'));
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(invalid('body', 'is not JSON'));
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now();
    const { origin, host } = request.headers;
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    if (!isAllowedHost(config, host)) throw forbidden('with development tokens on, only a loopback host name is served');
    if (origin !== undefined) {
      reply.header('vary', 'origin');
      if (isAllowedOrigin(config, origin, host)) reply.header('access-control-allow-origin', origin);
      else if (request.method !== 'OPTIONS' && request.url.startsWith('/api/')) throw forbidden('this origin is not allowed');
    }
    if (request.method === 'OPTIONS') return preflight(reply);
    if (!request.url.startsWith('/api/') || isOpen(request)) return undefined;
    request.caller = await authenticator.authenticate(bearer(request.headers.authorization));
    return undefined;
  });

  for (const name of operationNames)
    app.post(`/api/${name}`, async (request, reply) => {
      const body = request.body;
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
        throw invalid('body', 'must be a JSON object');
      const result = await dispatch(service, name, body, { caller: request.caller, address: request.ip });
      return reply.type(JSON_TYPE).send(httpReply(result));
    });

  app.get('/healthz', () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    if (service.isDraining) throw new ServiceError('unavailable', 'draining');
    return reply.send({ ok: true });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  servePages(app);

  app.setNotFoundHandler((request) => {
    const name = operationIn(request.url);
    if (name !== undefined && Object.hasOwn(operations, name))
      throw new ServiceError('method_not_allowed', 'operations are called with POST');
    throw notFound(request.url.startsWith('/api/') ? 'operation' : 'page');
  });
  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const known = error instanceof ServiceError ? error : frameworkError(error);
    if (!known) logger.error({ err: error, request_id: request.id }, 'a request failed');
    return sendError(reply, known ?? toServiceError(error));
  });
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationIn(request.url);
    if (operation === undefined) return;
    const label = Object.hasOwn(operations, operation) ? operation : 'unknown';
    metrics.requests.inc({ operation: label, transport: 'http', code: String(reply.statusCode) });
    metrics.seconds.observe({ operation: label }, (performance.now() - request.startedAt) / 1_000);
    logger.debug({ operation: label, status: reply.statusCode, request_id: request.id, account: request.caller?.username }, 'request');
  });
  return app;
}

const operationIn = (url: string): string | undefined => /^\/api\/([^/?]+)/.exec(url)?.[1];

function isOpen(request: FastifyRequest): boolean {
  const name = operationIn(request.url);
  if (name === undefined || !Object.hasOwn(operations, name)) return false;
  const { open }: Operation = operations[name as OperationName]; // an own key, checked above
  return open === true;
}

function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

async function preflight(reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('access-control-allow-methods', 'POST, GET')
    .header('access-control-allow-headers', 'authorization, content-type')
    .header('access-control-expose-headers', 'x-request-id, retry-after')
    .header('access-control-max-age', '600')
    .code(204)
    .send();
}

function sendError(reply: FastifyReply, { code, message, parameters }: ServiceError): FastifyReply {
  if (code === 'rate_limited' && parameters?.retry_after !== undefined)
    reply.header('retry-after', String(parameters.retry_after));
  return reply.code(errorStatus[code satisfies ErrorCode]).type(JSON_TYPE).send(httpError(code, message, parameters));
}
