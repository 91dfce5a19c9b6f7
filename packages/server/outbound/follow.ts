import type { Fetch } from './guarded-fetch.ts';

/** Maximum redirects that are followed. */
const REDIRECTS = 3;

interface Asked {
  headers: Record<string, string>;
  signal: AbortSignal;
}

/**
 * The response behind an address, after at most three redirects; null after more. `fetch` checks each address: give it a
 * guarded one. Throws if the address cannot be reached.
 */
export async function follow(fetch: Fetch, url: string, { headers, signal }: Asked): Promise<Response | null> {
  let address = url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects += 1) {
    const response = await fetch(address, { method: 'GET', headers, redirect: 'manual', signal });
    const next = redirectOf(response, address);
    if (next === undefined) return response;
    await response.body?.cancel();
    address = next;
  }
  return null;
}

function redirectOf({ status, headers: given }: Response, address: string): string | undefined {
  const location = given.get('location');
  return status >= 300 && status < 400 && location !== null && URL.canParse(location, address)
    ? new URL(location, address).href
    : undefined;
}
