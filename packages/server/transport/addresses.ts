import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type Config, ConfigError } from '../service/config.ts';

export type AddressOf = (request: IncomingMessage) => string;

/** Returns a predicate: is this address a trusted proxy's? */
export function proxyReader({ trustedProxies }: Pick<Config, 'trustedProxies'>): (address: string) => boolean {
  const isTrusted = trust(trustedProxies);
  return (address) => isTrusted(address, 0);
}

/** Returns a function that gives a request's client address: the nearest that is no trusted proxy's (CONFIG-10). */
export function addressReader({ trustedProxies }: Pick<Config, 'trustedProxies'>): AddressOf {
  const isTrusted = trust(trustedProxies);
  return (request) => proxyAddress(request, isTrusted);
}

function trust(proxies: string[]): (address: string, hop: number) => boolean {
  try {
    return proxyAddress.compile(proxies);
  } catch (error) {
    throw new ConfigError(`TRUSTED_PROXIES: ${error instanceof Error ? error.message : String(error)}`);
  }
}
