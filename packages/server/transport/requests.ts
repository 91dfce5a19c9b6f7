import { type Operation, type OperationName, operations } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { notFound, ServiceError } from '../core/errors.ts';
import type { Caller } from '../access/call.ts';

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
    /** Only access tokens are accepted (MCPS-2). */
    isMcp?: boolean;
  }
}

/** The operation of a request: by its route, or by the URL's text if no route matched, as with a wrong method. */
export function operationOf({ routeOptions, url }: FastifyRequest): OperationName | undefined {
  const name = routeOptions.config.operation ?? /^\/api\/(\w+)(?:[?#]|$)/.exec(url)?.[1];
  return name !== undefined && Object.hasOwn(operations, name) ? (name as OperationName) : undefined; // hasOwn: an operation
}

export const isUpload = ({ routeOptions }: FastifyRequest): boolean => {
  const { operation } = routeOptions.config;
  const declaration: Operation | undefined = operation && operations[operation];
  return declaration?.upload === true;
};

export const isApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config.operation !== undefined || url.startsWith('/api/');

/** What a request is answered that no route takes. */
export function missing(request: FastifyRequest): ServiceError {
  if (operationOf(request)) return new ServiceError('method_not_allowed', 'operations are called with POST');
  return notFound(isApi(request) ? 'operation' : 'page');
}

/** Whether a request needs no token: open routes and operations, and unknown paths outside /api (TRANS-6). */
export function isOpen(request: FastifyRequest): boolean {
  if (!request.is404) return request.routeOptions.config.isOpen === true;
  const name = operationOf(request);
  return name ? operations[name].policy.open === true : !isApi(request);
}

// Only the route of webhooks has this parameter.
export const secretOf = ({ params }: FastifyRequest): string => (params as { secret: string }).secret;

export function tokenOf({ headers: { authorization } }: { headers: { authorization?: string | undefined } }) {
  return authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
