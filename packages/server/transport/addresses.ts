import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { type Config, ConfigError } from '../service/config.ts';

export type AddressOf = (request: IncomingMessage) => string;

/** Whether the address of a connection is a trusted proxy's. */
export function proxyReader({ trustedProxies }: Pick<Config, 'trustedProxies'>): (address: string) => boolean {
  const isTrusted = trust(trustedProxies);
  return (address) => isTrusted(address, 0);
}

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
