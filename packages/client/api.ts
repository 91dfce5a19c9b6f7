import type { ErrorCode, ErrorParameters, HttpErrorBody, OperationName, Params, Result } from '@parley/protocol';

export interface ApiOptions {
  /** The service's address, e.g. `https://chat.example`. */
  url: string;
  /** Not needed before signIn, and for operations that need no authentication. A function is asked at each call. */
  token?: string | (() => string);
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Sent over HTTP by a request that outlives the page; the body may have at most 64 KiB. */
  keepalive?: boolean;
}

// Operations without required fields can be called without arguments.
type Arguments<Name extends OperationName> =
  Record<never, never> extends Params<Name>
    ? [params?: Params<Name>, options?: CallOptions]
    : [params: Params<Name>, options?: CallOptions];

/** Every operation of the protocol as a method. */
export type Api = { readonly [Name in OperationName]: (...args: Arguments<Name>) => Promise<Result<Name>> };

/** An error answered by the service. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly description: string;
  readonly parameters: ErrorParameters;

  constructor(status: number, body: Omit<HttpErrorBody, 'ok'>) {
    super(`${body.error_code}: ${body.description}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.error_code;
    this.description = body.description;
    this.parameters = body.parameters ?? {};
  }
}

/** A client for the HTTP operations. It imports only types from the protocol, so no list of operations is loaded. */
export function createApi({ url, token, fetch: send = fetch }: ApiOptions): Api {
  const base = url.replace(/(?<!\/)\/+$/, '');
  const own = (): Record<string, string> =>
    token === undefined ? {} : { authorization: `Bearer ${typeof token === 'string' ? token : token()}` };
  const call = async (
    name: string,
    params: unknown = {},
    { signal, keepalive }: CallOptions = {},
  ): Promise<unknown> => {
    const form = formOf(params);
    const headers = form ? own() : { 'content-type': 'application/json', ...own() };
    const body = form ?? JSON.stringify(params);
    const how = { ...(signal && { signal }), ...(keepalive && { keepalive }) };
    const response = await send(`${base}/api/${name}`, { method: 'POST', headers, body, ...how });
    return resultOf(response.status, await response.text());
  };
  const methods = new Map<string, (params?: unknown, options?: CallOptions) => Promise<unknown>>();
  // The type lists the operations; the proxy creates each method on first use.
  return new Proxy({} as Api, {
    get(_target, name) {
      // `await` reads `then`: undefined means that the client is not a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      let method = methods.get(name);
      if (!method) methods.set(name, (method = (params, options) => call(name, params, options)));
      return method;
    },
  });
}

/** Params that contain a file are sent as `multipart/form-data`; undefined for all others. */
function formOf(params: unknown): FormData | undefined {
  if (!isRecord(params) || !Object.values(params).some((value) => value instanceof Blob)) return undefined;
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) form.set(name, value instanceof Blob ? value : String(value));
  return form;
}

/** The result in a reply; throws ApiError for an error. */
export function resultOf(status: number, text: string): unknown {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    // Not JSON, so not from the service but from a proxy: handled below.
  }
  if (isRecord(reply) && reply['ok'] === true) return reply['result'];
  if (isRecord(reply) && typeof reply['error_code'] === 'string') {
    // An object with an `error_code` is an error of the service.
    throw new ApiError(status, reply as unknown as HttpErrorBody);
  }
  throw new ApiError(status, {
    error_code: status >= 502 && status <= 504 ? 'unavailable' : 'internal',
    description: `the reply with status ${status} does not come from the service`,
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** How long the service asks to wait before the call is repeated; 0 if it does not say. */
export const retryAfterMs = (error: unknown): number =>
  error instanceof ApiError ? Number(error.parameters['retry_after'] ?? 0) * 1_000 : 0;
