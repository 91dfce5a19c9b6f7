import { readFileSync } from 'node:fs';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { readJwksRule } from '../outbound/endpoint-rule.ts';
import { fetchPublicKeys } from '../people/fetch-keys.ts';
import { NoKeySet, publicKeysIn } from '../people/jwk-set.ts';
import type { AdminContext } from './command.ts';
import { Failure, messageOf, Misuse } from './failure.ts';

interface PublicKeys {
  jwks: string;
  /** Where the service will fetch them again; null if they are from a file. */
  jwksUrl: string | null;
}

/** Reads the public keys of a backend, a JWK Set, from a file or an address (ADMIN-19, ADMIN-20). */
export async function readPublicKeys(place: string, context: Pick<AdminContext, 'env' | 'clock'>): Promise<PublicKeys> {
  if (!/:\/\/|^https?:/i.test(place)) return { jwks: fromFile(place), jwksUrl: null };
  const url = URL.parse(place);
  // The errors do not repeat a text that may contain a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new Misuse('the address of --keys must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new Misuse('the address of --keys must not contain a user name or a password');
  url.hash = '';
  return { jwks: await fromAddress(url.href, context), jwksUrl: url.href };
}

function fromFile(file: string): string {
  try {
    return publicKeysIn(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(`${file} is not a JWK Set of public keys: ${messageOf(error)}`);
  }
}

async function fromAddress(url: string, { env, clock }: Pick<AdminContext, 'env' | 'clock'>): Promise<string> {
  const guarded = new GuardedFetch(readJwksRule((name) => env[name] || undefined));
  try {
    return await fetchPublicKeys(url, { clock, fetch: guarded.fetch, stop: new AbortController().signal });
  } catch (error) {
    throw error instanceof NoKeySet ? new Failure(`${url} gave no JWK Set of public keys: ${error.message}`) : error;
  } finally {
    guarded.close();
  }
}
