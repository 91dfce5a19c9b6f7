import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const kept = new Agent({ keepAlive: true });

/**
 * `fetch` for JSON requests to a service on this machine, at a third of its processor time: tests send tens of
 * thousands. Anything else is passed on to `fetch`.
 */
export const lightFetch: typeof fetch = async (input, init = {}) => {
  const { body, headers, method = 'GET', signal } = init;
  if (typeof input !== 'string' || typeof body !== 'string') return fetch(input, init);
  signal?.throwIfAborted();
  const sent = Object.fromEntries(new Headers(headers));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(
    input,
    // A request that asks for it has a connection to itself.
    { method, headers: sent, agent: sent['connection'] === 'close' ? false : kept, ...(signal && { signal }) },
    resolve,
  )
    .on('error', reject)
    .end(body);
  try {
    const response = await promise;
    const received = new Headers();
    for (const [name, value] of Object.entries(response.headersDistinct)) received.set(name, (value ?? []).join(', '));
    return new Response(await text(response), { status: response.statusCode ?? 0, headers: received });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new TypeError('fetch failed', { cause: error });
  }
};
