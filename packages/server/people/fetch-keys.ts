import type { Clock } from '../core/clock.ts';
import { boundedText, isCompressed, uncompressed } from '../outbound/bounded-body.ts';
import { EndpointRefused, NoSuchName } from '../outbound/endpoint-guard.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { KEY_SET_BYTES, NoKeySet, publicKeysIn } from './jwk-set.ts';

/** How long an address may take to answer, the whole body included. */
const TIMEOUT_MS = 5_000;

const headers = {
  accept: 'application/jwk-set+json, application/json',
  ...uncompressed,
};

interface PublicKeyNeeds {
  clock: Clock;
  fetch: Fetch;
  /** Ends the request. */
  stop: AbortSignal;
}

/** Fetches the JWK Set that is published at an address. Throws NoKeySet, which says why there is none (TOKEN-20). */
export async function fetchPublicKeys(url: string, { clock, fetch, stop }: PublicKeyNeeds): Promise<string> {
  const timeout = new AbortController();
  const timer = clock.setTimer(() => timeout.abort(), TIMEOUT_MS);
  try {
    const signal = AbortSignal.any([timeout.signal, stop]);
    return publicKeysIn(await bodyOf(await fetch(url, { method: 'GET', headers, redirect: 'manual', signal })));
  } catch (error) {
    const why = timeout.signal.aborted ? `it did not answer within ${TIMEOUT_MS / 1_000} seconds` : reasonOf(error);
    throw new NoKeySet(why, { cause: error });
  } finally {
    timer.cancel();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoKeySet) return error.message;
  if (error instanceof NoSuchName) return 'its name is unknown';
  if (error instanceof EndpointRefused) return `it ${error.message}, unless its origin is in JWKS_ENDPOINTS`;
  return 'it could not be reached';
}

async function bodyOf(response: Response): Promise<string> {
  const { status, body } = response;
  if (status !== 200 || isCompressed(response)) {
    await body?.cancel();
    throw new NoKeySet(status === 200 ? 'its answer is compressed' : `it answered with status ${status}`);
  }
  const text = await boundedText(body, KEY_SET_BYTES);
  if (text === null) throw new NoKeySet('it is too large');
  return text;
}
