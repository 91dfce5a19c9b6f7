import { readFileSync } from 'node:fs';
import type { Clock } from '../core/clock.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { readJwksRule } from '../outbound/endpoint-rule.ts';
import { fetchPublicKeys } from '../people/fetch-keys.ts';
import { NoKeySet, publicKeysIn } from '../people/jwk-set.ts';
import { isLoopbackName } from '../service/config.ts';
import { Failure, messageOf, Misuse } from './failure.ts';

interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
}

interface PublicKeys {
  jwks: string;
  /** Where the service will fetch them again; null if they are from a file. */
  jwksUrl: string | null;
}

/** Reads the public keys of a backend, a JWK Set, from a file or an address (ADMIN-19, ADMIN-20). */
export async function readPublicKeys(place: string, surroundings: Surroundings): Promise<PublicKeys> {
  const url = URL.parse(place);
  if (!url || !/^https?:$/.test(url.protocol)) return { jwks: fromFile(place), jwksUrl: null };
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    throw new Misuse(`${place} must begin with https: http is only for addresses of this machine`);
  url.hash = '';
  return { jwks: await fromAddress(url.href, surroundings), jwksUrl: url.href };
}

function fromFile(file: string): string {
  try {
    return publicKeysIn(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(`${file} is not a JWK Set of public keys: ${messageOf(error)}`);
  }
}

async function fromAddress(url: string, { env, clock }: Surroundings): Promise<string> {
  const guarded = new GuardedFetch(readJwksRule((name) => env[name] || undefined));
  try {
    return await fetchPublicKeys(url, { clock, fetch: guarded.fetch, stop: new AbortController().signal });
  } catch (error) {
    throw error instanceof NoKeySet ? new Failure(`${url} gave no JWK Set of public keys: ${error.message}`) : error;
  } finally {
    guarded.close();
  }
}
