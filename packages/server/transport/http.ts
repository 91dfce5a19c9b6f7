// The HTTP server: its limits, its parts (bodies, admission, the routes of each kind) in the order in which they are
// built, and how errors and requests are answered and reported.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import root from '../../../package.json' with { type: 'json' };
import { addressBlock } from '../calls/rate-limits.ts';
import { ownerOf } from '../core/byte-budget.ts';
import { ServiceError } from '../core/errors.ts';
import { toServiceError } from '../core/json-reply.ts';
import type { Service } from '../service/interface.ts';
import { addressReader } from './addresses.ts';
import { Admission } from './admission.ts';
import { frameworkError, JSON_TYPE, sendError, unreadable } from './errors.ts';
import { serveExports } from './export-downloads.ts';
import { serveFiles } from './file-downloads.ts';
import { serveGuide } from './guide.ts';
import { serveHelp } from './help.ts';
import { serveHooks } from './hooks.ts';
import type { Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { serveOidc } from './oidc.ts';
import { serveOpenUploads } from './open-uploads.ts';
import { serveOperations, uploads } from './operation-routes.ts';
import { refusedEmbedderLogger } from './origins.ts';
import { servePages } from './pages.ts';
import { serveProbes } from './probes.ts';
import { serveMcp } from './mcp/mcp-route.ts';
import { refuse } from './refuse.ts';
import { RequestBodies } from './request-bodies.ts';
import { isApi, missing, operationOf, tokenOf } from './requests.ts';
import { type SecurityHeaders, securityHeaders } from './security-headers.ts';
import { serveProgramLogins } from './program-logins.ts';
import { serveToolLogins } from './tool-logins.ts';
import { serveUploads } from './uploads.ts';
import { serveWebApp, wantsPage } from './web-app.ts';

/** Maximum time for a whole request, long enough for a file; slow-bodies.ts sets shorter limits for all others. */
const REQUEST_TIMEOUT_MS = 660_000;
/** Maximum time for a request's head, counted from the connection's start or from the previous response. */
const HEADERS_TIMEOUT_MS = 5_000;
/** How often Node checks for requests that exceed these times. */
const LOOK_MS = 1_000;
/** How long a connection may be without traffic before it is closed, even if its client has only stopped reading. */
const IDLE_TIMEOUT_MS = 120_000;

export function createHttp(service: Service, metrics: Metrics, intake: Intake): FastifyInstance {
  const { config, clock, logger } = service;
  const addressOf = addressReader(config);
  const security = securityHeaders(config);
  const app = createApp(security);
  const bodies = new RequestBodies({
    ownerOf: ({ caller, raw }) => ownerOf(caller, addressBlock(addressOf(raw))),
    budget: intake.budget,
    shares: intake.shares,
    arrivals: service.arrivals,
  });
  bodies.serve(app);
  const webApp = serveWebApp(app, {
    widgetOrigins: config.widgetOrigins,
    logRefusedEmbedder: refusedEmbedderLogger(logger, clock),
  });
  const sendNothing = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (webApp && wantsPage(request)) return webApp.sendMissing(request, reply);
    if (isApi(request)) bodies.countRefusal(request);
    throw missing(request);
  };
  const admission = new Admission({ service, intake, bodies, security, sendNothing });
  admission.serve(app);

  serveOperations(app, { service, bodies, addressOf });
  const authenticate = (request: FastifyRequest) => admission.authenticateSlow(request);
  serveUploads(app, uploads, { service, addressOf, authenticate, jsonType: JSON_TYPE });
  serveOpenUploads(app, { service, addressOf, authenticate, jsonType: JSON_TYPE });
  serveHooks(app, { service, addressOf, bodies, jsonType: JSON_TYPE });
  serveFiles(app, service, tokenOf);
  serveExports(app, service);
  serveMcp(app, { service, addressOf, version: root.version });
  serveProgramLogins(app, { service, addressOf, bodies });
  serveToolLogins(app, service);
  serveOidc(app, { service, addressOf, bodies });
  serveProbes(app, service, metrics);
  serveHelp(app);
  servePages(app, { hasApp: webApp !== null, guide: serveGuide(app), publicUrl: config.publicUrl });

  app.setNotFoundHandler(sendNothing);
  app.setErrorHandler((error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const known = error instanceof ServiceError ? error : frameworkError(error);
    if (!known) logger.error({ err: error, request_id: request.id }, 'a request failed');
    return sendError(reply, known ?? toServiceError(error));
  });
  reportRequests(app, service, metrics);
  return app;
}

function createApp(security: SecurityHeaders): FastifyInstance {
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
  return app;
}

function reportRequests(app: FastifyInstance, { logger }: Service, metrics: Metrics): void {
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
}
