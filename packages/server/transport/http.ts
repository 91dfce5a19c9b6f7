// The HTTP entry point: authenticates a request, hands the call to dispatch.ts and renders the result or the error.
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
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
import type { Caller } from '../access/call.ts';
import { dispatch } from '../calls/dispatch.ts';
import { forbidden, invalid, notFound, ServiceError } from '../core/errors.ts';
import { httpError, httpReply, toServiceError } from '../core/json-reply.ts';
import { handlers } from '../operations/index.ts';
import { parseJson } from '../core/parse-json.ts';
import { addressBlock } from '../calls/rate-limits.ts';
import type { Service } from '../service/interface.ts';
import { addressReader } from './addresses.ts';
import { readBody } from './bodies.ts';
import { ownerOf } from '../core/byte-budget.ts';
import type { Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { guardDevTokens, hasSeveralHosts, isAllowedOrigin, refusedEmbedderLogger } from './origins.ts';
import { serveExports } from './export-downloads.ts';
import { serveFiles } from './file-downloads.ts';
import { serveGuide } from './guide.ts';
import { serveHooks } from './hooks.ts';
import { nextSlice, type Share } from '../core/slices.ts';
import { Pipelines } from './pipelines.ts';
import { refuse } from './refuse.ts';
import { securityHeaders } from './security-headers.ts';
import { servePages } from './pages.ts';
import { serveWebApp, wantsPage } from './web-app.ts';
import { holdUntilSent } from './unread-answers.ts';
import { serveUploads } from './uploads.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** When the request began, by `performance.now()`; for the metrics. */
    startedAt: number;
    /** When the request began, by the service's clock. */
    cameAt: number;
    /** Called when the response is complete, so that the connection's next request can begin. */
    leave: () => void;
  }
  interface FastifyContextConfig {
    /** Routes require a token unless this is set. */
    isOpen?: boolean;
    /** For operators and load balancers: it waits for nobody's share of the event loop. */
    isProbe?: boolean;
    operation?: OperationName;
    /** The path contains the secret of a webhook, which authenticates the request. */
    isHook?: boolean;
  }
}

/** How long a body may take before its sender is authenticated again, because the token may have been revoked. */
const SLOW_BODY_MS = 250;
/** Maximum time for a whole request, long enough for a file; slow-bodies.ts sets shorter limits for all others. */
const REQUEST_TIMEOUT_MS = 660_000;
/** Maximum time for a request's head, counted from the connection's start or from the previous response. */
const HEADERS_TIMEOUT_MS = 5_000;
/** How often Node checks for requests that exceed these times. */
const LOOK_MS = 1_000;
/** How long a connection may be without traffic before it is closed, even if its client has only stopped reading. */
const IDLE_TIMEOUT_MS = 120_000;

/** Maximum time that a read is charged: some wait for a bot or a provider, and use no time of the loop meanwhile. */
const MOST_CHARGED_MS = 50;

const notJson = () => new ServiceError('unsupported_media_type', 'the body must be application/json');
const unreadable = () => new ServiceError('invalid_argument', 'the request is malformed', { field: 'body' });

/** Whether a body was refused for what it is, and not because the service has no room for it. */
const isForShape = ({ code }: ServiceError): boolean => code !== 'unavailable' && code !== 'rate_limited';

/** Translates the framework's own errors. */
function frameworkError({ code, statusCode }: { code?: string; statusCode?: number }): ServiceError | undefined {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return unreadable();
  return undefined;
}

export function createHttp(service: Service, metrics: Metrics, intake: Intake): FastifyInstance {
  const { config, authenticator, clock, logger } = service;
  const { slow, connections, budget, shares, logRefusedOrigin } = intake;
  const pipelines = new Pipelines();
  const addressOf = addressReader(config);
  const security = securityHeaders(config);
  const app = Fastify({
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    routerOptions: { maxParamLength: 1_000 },
    // Other upgrade offers are ignored, and the request is handled as usual.
    http: {
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      // A missing Host is rejected in the onRequest hook, which renders it like all errors.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_MS,
    },
    frameworkErrors: (error, _request, reply) =>
      void sendError(reply.headers(security), frameworkError(error) ?? toServiceError(error)),
    clientErrorHandler: (error, socket) => {
      // Browsers open connections before they need them. An answer sent now would be taken for the answer to the first
      // request.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void socket.destroy();
      if (error.code !== 'ECONNRESET' && !socket.destroyed) refuse(socket, unreadable(), security);
      return undefined;
    },
  });
  // Without this Node answers an unknown Expect header with 417, without our headers.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
  app.decorateRequest('caller', null);
  app.decorateRequest('startedAt', 0);
  app.decorateRequest('cameAt', 0);
  app.decorateRequest('leave', () => {});

  const ownerOfRequest = ({ caller, raw }: FastifyRequest) => ownerOf(caller, addressBlock(addressOf(raw)));
  app.removeAllContentTypeParsers();
  const bodyOf = (request: FastifyRequest, payload: Readable): Promise<Buffer> => {
    const { 'content-length': length } = request.headers;
    return readBody(payload, {
      maxBytes: request.caller ? limits.bodyBytes : limits.openBodyBytes,
      declaredBytes: length === undefined ? undefined : Number(length),
      budget,
      owner: ownerOfRequest(request),
    });
  };
  const shareOf = (request: FastifyRequest): Share => shares.of(ownerOfRequest(request));
  /** Counts a call that is refused before it reaches its operation, or throws rate_limited (LIMIT-28). */
  const countRefusal = (request: FastifyRequest): void => service.arrivals?.countRefusal(ownerOfRequest(request));
  const parse = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    const share = shareOf(request);
    if (share.mustWait) await nextSlice();
    const begunAt = performance.now();
    try {
      return parseBody(body, (parts) => service.arrivals?.admitJson(ownerOfRequest(request), parts));
    } finally {
      share.charge(performance.now() - begunAt);
    }
  };
  const counted = async <Value>(request: FastifyRequest, reading: Promise<Value>): Promise<Value> => {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof ServiceError && isForShape(error)) countRefusal(request);
      throw error;
    }
  };
  app.addContentTypeParser(/^application\/json\s*(;|$)/i, (request: FastifyRequest, payload: Readable) =>
    counted(
      request,
      bodyOf(request, payload).then((body) => parse(request, body)),
    ),
  );

  // An empty body counts as no body, whatever its content type.
  app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
    counted(
      request,
      bodyOf(request, payload).then((body) => {
        if (body.length > 0) throw notJson();
      }),
    ),
  );

  const authenticate = (request: FastifyRequest): Promise<Caller> =>
    request.routeOptions.config.isHook
      ? authenticator.authenticateWebhook(secretOf(request))
      : authenticator.authenticate(tokenOf(request));
  app.addHook('onRequest', async (request, reply) => {
    request.leave = await pipelines.enter(request.raw.socket);
    if (request.method === 'POST' && !isUpload(request))
      slow.begin(request.raw, () => refuse(request.raw.socket, unreadable(), security));
    request.startedAt = performance.now();
    request.cameAt = clock.monotonic();
    const { origin, host } = request.headers;
    reply.headers({ ...security, 'x-request-id': request.id, 'cache-control': 'no-store' });
    if ((host === undefined && request.raw.httpVersion !== '1.0') || hasSeveralHosts(request.raw)) throw unreadable();
    guardDevTokens(config, request.headers, isApi(request) || request.headers.authorization !== undefined);
    if (origin !== undefined) {
      reply.header('vary', 'origin');
      if (isAllowedOrigin(config, origin, host))
        reply
          .header('access-control-allow-origin', origin)
          .header('access-control-expose-headers', 'x-request-id, retry-after');
      else if (isApi(request)) {
        logRefusedOrigin(origin);
        // A refused preflight needs no error: without CORS headers the browser blocks the call.
        if (request.method !== 'OPTIONS') throw forbidden('this origin is not allowed');
      }
    }
    if (request.method === 'OPTIONS') return preflight(reply);
    if (!isOpen(request)) {
      request.caller = await authenticate(request);
      connections.authenticated(request.raw.socket);
      slow.authenticated(request.raw);
    }
    // Before the body is read.
    if (request.is404) return sendNothing(request, reply);
    if (!request.routeOptions.config.isProbe && shareOf(request).mustWait) await nextSlice();
    return undefined;
  });
  app.addHook('onClose', () => slow.close());
  const authenticateSlow = async (request: FastifyRequest): Promise<void> => {
    if (!request.caller || clock.monotonic() - request.cameAt < SLOW_BODY_MS) return;
    request.caller = await authenticate(request);
  };
  app.addHook('preHandler', async (request) => {
    slow.end(request.raw);
    await authenticateSlow(request);
  });

  const uploads: OperationName[] = [];
  for (const name of operationNames) {
    const { policy, upload }: Operation = operations[name];
    if (upload) {
      uploads.push(name);
      continue;
    }
    app.post(`/api/${name}`, { config: { operation: name, isOpen: policy.open === true } }, async (request, reply) => {
      const body = request.body;
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
        countRefusal(request);
        throw invalid('body', 'must be a JSON object');
      }
      const share = shareOf(request);
      const begunAt = performance.now();
      const calling = dispatch(service, name, body, { caller: request.caller, address: addressOf(request.raw) });
      const isRead = handlers[name].kind === 'read';
      // Of a write only the check of its fields is charged: the rest of its time is spent in the store.
      if (!isRead) share.charge(performance.now() - begunAt);
      let text: string;
      try {
        text = httpReply(await calling);
      } finally {
        if (isRead) share.charge(Math.min(performance.now() - begunAt, MOST_CHARGED_MS));
      }
      if (isRead) holdUntilSent(service.answers, ownerOfRequest(request), reply.raw, text);
      return reply.type(JSON_TYPE).send(text);
    });
  }

  serveUploads(app, uploads, { service, addressOf, authenticate: authenticateSlow, jsonType: JSON_TYPE });
  serveHooks(app, { service, addressOf, readBody: bodyOf, parse, counted, jsonType: JSON_TYPE });
  serveFiles(app, service, tokenOf);
  serveExports(app, service);

  const probe = { config: { isOpen: true, isProbe: true } };
  app.get('/healthz', probe, () => ({ ok: true }));
  app.get('/readyz', probe, async (_request, reply) => {
    if (service.isDraining) throw new ServiceError('unavailable', 'draining');
    if (!(await service.isReady())) throw new ServiceError('unavailable', 'the store does not answer');
    // A node with a full disk stays ready: reads and deletes work, and no other node has more space.
    return reply.send({ ok: true, ...(service.disk.isFull && { writes: 'disk is full' }) });
  });
  app.get('/metrics', probe, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  const webApp = serveWebApp(app, {
    widgetOrigins: config.widgetOrigins,
    logRefusedEmbedder: refusedEmbedderLogger(logger, clock),
  });
  servePages(app, { hasApp: webApp !== null, guide: serveGuide(app), publicUrl: config.publicUrl });

  const sendNothing = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (webApp && wantsPage(request)) return webApp.sendMissing(request, reply);
    if (isApi(request)) countRefusal(request);
    throw missing(request);
  };
  app.setNotFoundHandler(sendNothing);
  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const known = error instanceof ServiceError ? error : frameworkError(error);
    if (!known) logger.error({ err: error, request_id: request.id }, 'a request failed');
    return sendError(reply, known ?? toServiceError(error));
  });
  app.addHook('onResponse', async (request, reply) => {
    request.leave();
    // `app.close()` ends only the connections that were idle at the time; this connection was still in use.
    if (!app.server.listening) request.raw.socket.destroySoon();
    if (!isApi(request)) return;
    const label = operationOf(request) ?? 'unknown';
    metrics.countRequest(label, 'http', String(reply.statusCode));
    metrics.observeSeconds(label, (performance.now() - request.startedAt) / 1_000);
    logger.debug(
      { operation: label, status: reply.statusCode, request_id: request.id, account: request.caller?.username },
      'request',
    );
  });
  return app;
}

/** The operation of a request: by its route, or by the URL's text if no route matched, as with a wrong method. */
function operationOf({ routeOptions, url }: FastifyRequest): OperationName | undefined {
  const name = routeOptions.config.operation ?? /^\/api\/(\w+)(?:[?#]|$)/.exec(url)?.[1];
  return name !== undefined && Object.hasOwn(operations, name) ? (name as OperationName) : undefined; // hasOwn: an operation
}

const isUpload = ({ routeOptions }: FastifyRequest): boolean => {
  const { operation } = routeOptions.config;
  const declaration: Operation | undefined = operation && operations[operation];
  return declaration?.upload === true;
};

const isApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config.operation !== undefined || url.startsWith('/api/');

function missing(request: FastifyRequest): ServiceError {
  if (operationOf(request)) return new ServiceError('method_not_allowed', 'operations are called with POST');
  return notFound(isApi(request) ? 'operation' : 'page');
}

/** Whether a request needs no token: open routes and operations, and unknown paths outside /api (TRANS-6). */
function isOpen(request: FastifyRequest): boolean {
  if (!request.is404) return request.routeOptions.config.isOpen === true;
  const name = operationOf(request);
  return name ? operations[name].policy.open === true : !isApi(request);
}

/** Undefined for an empty body. */
function parseBody(body: Buffer, admit: (parts: number) => void): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalid('body', 'is not UTF-8');
  try {
    return parseJson(body, admit);
  } catch (error) {
    throw error instanceof ServiceError ? error : invalid('body', 'is not JSON');
  }
}

// Only the route of webhooks has this parameter.
const secretOf = ({ params }: FastifyRequest): string => (params as { secret: string }).secret;

function tokenOf({ headers: { authorization } }: { headers: { authorization?: string | undefined } }) {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

async function preflight(reply: FastifyReply): Promise<FastifyReply> {
  return reply
    .header('access-control-allow-methods', 'POST, GET')
    .header('access-control-allow-headers', 'authorization, content-type')
    .header('access-control-max-age', '600')
    .code(204)
    .send();
}

function sendError(reply: FastifyReply, { code, message, parameters }: ServiceError): FastifyReply {
  // Errors raised by the framework itself have not passed the onRequest hook.
  reply.header('x-request-id', reply.request.id).header('cache-control', 'no-store');
  if (parameters?.retry_after !== undefined) reply.header('retry-after', String(parameters.retry_after));
  if (code === 'method_not_allowed') reply.header('allow', 'POST');
  return reply
    .code(errorStatus[code satisfies ErrorCode])
    .type(JSON_TYPE)
    .send(httpError(code, message, parameters));
}
