import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden } from '../core/errors.ts';
import { nextSlice } from '../core/slices.ts';
import type { Service } from '../service/interface.ts';
import type { Caller } from '../access/call.ts';
import { unreadable } from './errors.ts';
import type { Intake } from './intake.ts';
import { guardDevTokens, hasSeveralHosts, isAllowedOrigin } from './origins.ts';
import { Pipelines } from './pipelines.ts';
import { refuse } from './refuse.ts';
import type { RequestBodies } from './request-bodies.ts';
import { guardMcpHost } from './mcp/mcp-route.ts';
import { challenge } from './program-logins.ts';
import { isApi, isOpen, isUpload, secretOf, tokenOf } from './requests.ts';
import type { SecurityHeaders } from './security-headers.ts';

/** How long a body may take before its sender is authenticated again, because the token may have been revoked. */
const SLOW_BODY_MS = 250;

/** Headers of answers that pages of other origins may read. */
const EXPOSED = [
  'x-request-id, retry-after',
  'location, upload-offset, upload-length, upload-expires, www-authenticate',
  'tus-resumable, tus-version, tus-extension, tus-max-size',
].join(', ');

interface AdmissionParts {
  service: Service;
  intake: Intake;
  bodies: RequestBodies;
  security: SecurityHeaders;
  /** Answers a request that no route takes. */
  sendNothing: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

/** Looks at the head of each request, and says who calls, before its body is read. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #pipelines = new Pipelines();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  serve(app: FastifyInstance): void {
    const { slow } = this.#parts.intake;
    app.decorateRequest('caller', null);
    app.decorateRequest('startedAt', 0);
    app.decorateRequest('cameAt', 0);
    app.decorateRequest('leave', () => {});
    app.addHook('onRequest', (request, reply) => this.#admit(request, reply));
    app.addHook('onClose', () => slow.close());
    app.addHook('preHandler', async (request) => {
      slow.end(request.raw);
      await this.authenticateSlow(request);
    });
  }

  /** Authenticates the caller again if the body took long (AUTH-16). */
  async authenticateSlow(request: FastifyRequest): Promise<void> {
    const { clock } = this.#parts.service;
    if (!request.caller || clock.monotonic() - request.cameAt < SLOW_BODY_MS) return;
    request.caller = await this.#authenticate(request);
  }

  #authenticate(request: FastifyRequest): Promise<Caller> {
    const { authenticator } = this.#parts.service;
    const { isHook, isMcp } = request.routeOptions.config;
    if (isMcp) return authenticator.authenticateAccessToken(tokenOf(request));
    return isHook ? authenticator.authenticateWebhook(secretOf(request)) : authenticator.authenticate(tokenOf(request));
  }

  /** Answers a request that goes no further. */
  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { service, intake, bodies, security, sendNothing } = this.#parts;
    const { slow, connections } = intake;
    request.leave = await this.#pipelines.enter(request.raw.socket);
    if (request.method === 'POST' && !isUpload(request))
      slow.begin(request.raw, () => refuse(request.raw.socket, unreadable(), security));
    request.startedAt = performance.now();
    request.cameAt = service.clock.monotonic();
    reply.headers({ ...security, 'x-request-id': request.id, 'cache-control': 'no-store' });
    this.#checkHost(request);
    this.#checkOrigin(request, reply);
    if (request.method === 'OPTIONS') {
      allow(reply);
      if (request.is404) return reply.code(204).send();
    }
    if (!isOpen(request)) {
      const { isMcp } = request.routeOptions.config;
      if (isMcp) reply.header('www-authenticate', challenge(service.config, request));
      request.caller = await this.#authenticate(request);
      if (isMcp) reply.removeHeader('www-authenticate');
      connections.authenticated(request.raw.socket);
      slow.authenticated(request.raw);
    }
    // Before the body is read.
    if (request.is404) return sendNothing(request, reply);
    if (!request.routeOptions.config.isProbe && bodies.shareOf(request).mustWait) await nextSlice();
    return undefined;
  }

  #checkHost(request: FastifyRequest): void {
    const { config } = this.#parts.service;
    const { host, authorization } = request.headers;
    if ((host === undefined && request.raw.httpVersion !== '1.0') || hasSeveralHosts(request.raw)) throw unreadable();
    if (request.routeOptions.config.isMcp) guardMcpHost(config, host);
    guardDevTokens(config, request.headers, isApi(request) || authorization !== undefined);
  }

  #checkOrigin(request: FastifyRequest, reply: FastifyReply): void {
    const { service, intake } = this.#parts;
    const { origin, host } = request.headers;
    if (origin === undefined) return;
    reply.header('vary', 'origin');
    if (isAllowedOrigin(service.config, origin, host))
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
    else if (isApi(request) || request.routeOptions.config.isMcp) {
      intake.logRefusedOrigin(origin);
      // A refused preflight needs no error: without CORS headers the browser blocks the call.
      if (request.method !== 'OPTIONS') throw forbidden('this origin is not allowed');
    }
  }
}

/** Answers a preflight. */
function allow(reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-methods': 'POST, GET, HEAD, PATCH, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, tus-resumable, upload-length, upload-metadata, upload-offset, mcp-protocol-version, mcp-method, mcp-name',
    'access-control-max-age': '600',
  });
}
