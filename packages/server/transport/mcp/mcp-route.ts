import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, invalid, ServiceError } from '../../core/errors.ts';
import { isServedHost } from '../../rules/served-hosts.ts';
import type { Config } from '../../service/config.ts';
import type { Service } from '../../service/interface.ts';
import type { AddressOf } from '../addresses.ts';
import { handlerFor } from './mcp-handler.ts';

/** Maximum number of requests in one batch, which only the older revisions of the protocol have (MCPS-6). */
const MAX_BATCH = 100;

/** Parley as an MCP server, for programs that bear an access token (MCPS-1). */
export function serveMcp(
  app: FastifyInstance,
  { service, addressOf, version }: { service: Service; addressOf: AddressOf; version: string },
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, body } = request;
    if (!caller) throw new ServiceError('unauthenticated', 'an access token is needed');
    if (Array.isArray(body) && body.length > MAX_BATCH) throw invalid('body', `has more than ${MAX_BATCH} requests`);
    const handler = await handlerFor(service, version, {
      caller,
      address: addressOf(request.raw),
      isBatch: Array.isArray(body),
    });
    const stop = new AbortController();
    reply.raw.on('close', () => stop.abort());
    try {
      const response = await handler.fetch(asRequest(request, stop.signal), { parsedBody: body });
      const text = await response.text();
      void reply.code(response.status);
      response.headers.forEach((value, name) => void reply.header(name, value));
      return await reply.send(text);
    } finally {
      await handler.close();
    }
  };
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    config: { isMcp: true },
    handler: answer,
  });
}

function asRequest({ method, headers, body }: FastifyRequest, signal: AbortSignal): Request {
  const own = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'authorization') own.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  own.delete('content-length');
  return new Request('http://localhost/mcp', {
    method,
    headers: own,
    signal,
    ...(method === 'POST' && { body: JSON.stringify(body ?? null) }),
  });
}

/**
 * Refuses a request whose Host is none of the service's: a hostile page could have pointed its own name here (DNS
 * rebinding), which it cannot do with an address (MCPS-3).
 */
export function guardMcpHost(config: Config, host = ''): void {
  if (!isServedHost(config, host))
    throw forbidden('this host is not served: set PUBLIC_URL to the address of the service');
}
