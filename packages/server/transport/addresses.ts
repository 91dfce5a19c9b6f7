import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type Config, ConfigError } from '../config.ts';

export type AddressOf = (request: IncomingMessage) => string;

/** Who calls: the nearest address that is no trusted proxy's (CONFIG-10). */
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
