// Parley as an authorization server for programs that ask people for consent (MCPS-8 …). The consent page is the app's.
import type { Readable } from 'node:stream';
import { tokenScopes } from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dispatch } from '../calls/dispatch.ts';
import { ServiceError } from '../core/errors.ts';
import { toServiceError } from '../core/json-reply.ts';
import { BadProgram } from '../people/programs/program-metadata.ts';
import type { Config } from '../service/config.ts';
import type { Service } from '../service/interface.ts';
import type { AddressOf } from './addresses.ts';
import { errorStatus } from '@parley/protocol';
import { guardMcpHost } from './mcp/mcp-route.ts';
import { originOf } from './origins.ts';
import type { RequestBodies } from './request-bodies.ts';

interface LoginParts {
  service: Service;
  addressOf: AddressOf;
  bodies: RequestBodies;
}

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';
const isOpen = { config: { isOpen: true } } as const;

/** What a request to /mcp without a right token is told: where a token is to be had (RFC 9728, MCPS-8). */
export function challenge(config: Config, { headers }: FastifyRequest): string {
  const origin = originOf(config, headers);
  const isWrong = headers.authorization === undefined ? '' : ', error="invalid_token"';
  return `Bearer realm="Parley"${isWrong}, resource_metadata="${origin}${RESOURCE_METADATA}/mcp", scope="${tokenScopes.join(' ')}"`;
}

/** What /mcp is, for programs (RFC 9728). */
const resource = (origin: string) => ({
  resource: `${origin}/mcp`,
  authorization_servers: [origin],
  scopes_supported: tokenScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Parley',
  resource_documentation: `${origin}/docs/guide/mcp.html`,
});

/** Serves the metadata, the registration of programs, and the exchange of codes and refresh tokens. */
export function serveProgramLogins(app: FastifyInstance, parts: LoginParts): void {
  const { service } = parts;
  const { config, rooms } = service;
  const describe = (path: string, document: (origin: string) => object) =>
    app.get(path, isOpen, async (request, reply) => {
      guardMcpHost(config, request.headers.host);
      // Any page may read it: it is the same for everybody.
      return reply.header('access-control-allow-origin', '*').send(document(originOf(config, request.headers)));
    });

  describe(RESOURCE_METADATA, resource);
  describe(`${RESOURCE_METADATA}/mcp`, resource);
  describe('/.well-known/oauth-authorization-server', (origin) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: tokenScopes,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: rooms.programs.takesDocuments,
  }));

  app.post('/oauth/register', isOpen, async (request, reply) => {
    try {
      const { id, program, now } = rooms.programs.register(request.body);
      return await reply.code(201).send({
        client_id: id,
        client_id_issued_at: Math.floor(now / 1_000),
        client_name: program.name,
        redirect_uris: program.redirects,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    } catch (error) {
      if (!(error instanceof BadProgram)) throw error;
      parts.bodies.countRefusal(request);
      return reply.code(400).send({ error: error.error, error_description: error.message });
    }
  });
  void app.register(async (scope) => serveTokens(scope, parts));
}

/** Its parser of forms applies to this route only. */
function serveTokens(scope: FastifyInstance, { service, addressOf, bodies }: LoginParts): void {
  scope.addContentTypeParser(
    /^application\/x-www-form-urlencoded\s*(;|$)/i,
    (request: FastifyRequest, payload: Readable) =>
      bodies.counted(
        request,
        bodies.read(request, payload).then((body) => new URLSearchParams(body.toString())),
      ),
  );
  scope.post('/oauth/token', isOpen, async (request, reply) => {
    try {
      const { body } = request;
      if (!(body instanceof URLSearchParams)) throw new ServiceError('invalid_argument', 'the body must be a form');
      const names = [...body.keys()];
      if (new Set(names).size < names.length) throw new ServiceError('invalid_argument', 'a parameter is given twice');
      const input = Object.fromEntries([...body].filter(([, value]) => value !== ''));
      const origin = { caller: null, address: addressOf(request.raw) };
      const text = await dispatch(service, 'issueProgramTokens', input, origin);
      return await reply.header('pragma', 'no-cache').type('application/json; charset=utf-8').send(text);
    } catch (error) {
      return refuse(service, reply, error);
    }
  });
}

/** An error in the words of OAuth (RFC 6749, section 5.2). */
function refuse({ logger }: Service, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ServiceError)) logger.error({ err: error }, 'a program got no token');
  const { code, message, parameters = {} } = toServiceError(error);
  const { error: own, field, retry_after: after } = parameters;
  if (typeof after === 'number') void reply.header('retry-after', String(after));
  const words = typeof own === 'string' ? own : (codes[code] ?? byField(field));
  return reply.code(errorStatus[code]).send({ error: words, error_description: message });
}

const codes: Readonly<Partial<Record<ServiceError['code'], string>>> = {
  unavailable: 'temporarily_unavailable',
  rate_limited: 'temporarily_unavailable',
  internal: 'server_error',
};
const byField = (field: unknown): string => (field === 'grant_type' ? 'unsupported_grant_type' : 'invalid_request');
