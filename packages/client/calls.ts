import type { OperationName, Params, Result } from '@parley/protocol';
import { ApiError, type CallOptions, createApi } from './api.ts';
import type { Client } from './client.ts';
import type { Connection } from './connection.ts';
import { ConnectionError } from './requests.ts';

/** A 401 from these operations concerns the password, not the token. */
const isOpen = (url: unknown): boolean => typeof url === 'string' && /\/api\/(signIn|signUp)$/.test(url);

/** The operations: over HTTP, and as `call` over the socket while it is live. */
export function createCalls(
  base: string,
  send: typeof fetch,
  connection: Connection,
  token: () => string,
): Pick<Client, 'api' | 'call'> {
  const api = createApi({
    url: base,
    token,
    async fetch(input, init) {
      const used = token();
      const response = await send(input, init);
      // A refused token may have been replaced meanwhile.
      if (response.status === 401 && !isOpen(input) && used === token()) connection.refuse('unauthenticated');
      return response;
    },
  });
  const call = async <Name extends OperationName>(
    name: Name,
    params?: Params<Name>,
    callOptions?: CallOptions,
  ): Promise<Result<Name>> => {
    // Files can only be sent over HTTP.
    if (connection.state === 'live' && name !== 'uploadFile' && !callOptions?.keepalive)
      // The socket method of the same name returns the operation's result.
      return (await connection.request(name, params ?? {}, callOptions?.signal)) as Result<Name>;
    try {
      // The proxy's method for `name` has exactly these params and this result.
      const method = api[name] as unknown as (given?: Params<Name>, how?: CallOptions) => Promise<Result<Name>>;
      return await method(params, callOptions);
    } catch (error) {
      if (error instanceof ApiError || callOptions?.signal?.aborted) throw error;
      throw new ConnectionError(`${name} was not answered`, { cause: error });
    }
  };
  return { api, call };
}
