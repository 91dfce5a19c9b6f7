import type { errorStatus, SocketErrorBody } from '@parley/protocol';
import { ApiError } from './api.ts';
import type { Clock, Timer } from './environment.ts';

/** The service did not answer: the call may or may not have been executed. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}

/** A copy of the protocol's table, because the SDK imports only types; the type checks every number. */
const statusOf: typeof errorStatus = {
  invalid_argument: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

/** How long to wait for a reply: longer than any operation takes, including the three seconds of queryInline. */
const PATIENCE_MS = 30_000;

export interface SocketReply {
  id?: unknown;
  ok?: boolean;
  result?: unknown;
  error?: SocketErrorBody['error'];
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  end: () => void;
}

/** Requests and their replies over the current socket. */
export class Requests {
  readonly #clock: Clock;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  send(write: (text: string) => void, method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      let timer: Timer | undefined;
      const end = (): void => {
        timer?.cancel();
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(id);
      };
      const fail = (error: unknown): void => {
        end();
        reject(error);
      };
      const abort = (): void => fail(signal?.reason);
      signal?.addEventListener('abort', abort);
      timer = this.#clock.setTimer(() => fail(new ConnectionError(`${method} was not answered`)), PATIENCE_MS);
      this.#pending.set(id, { resolve, reject, end });
      try {
        write(JSON.stringify({ id, method, params }));
      } catch (error) {
        fail(new ConnectionError(`${method} was not sent`, { cause: error }));
      }
    });
  }

  answer({ id, ok, result, error }: SocketReply): void {
    const call = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (!call) return;
    call.end();
    if (ok === true) return call.resolve(result);
    const { code = 'internal', message = 'the service gave no error message', parameters } = error ?? {};
    const body = { error_code: code, description: message, ...(parameters && { parameters }) };
    call.reject(new ApiError(statusOf[code] ?? 500, body));
  }

  /** The socket closed: no replies will arrive. */
  lose(): void {
    for (const { end, reject } of Array.from(this.#pending.values())) {
      end();
      reject(new ConnectionError('the connection broke'));
    }
  }
}
